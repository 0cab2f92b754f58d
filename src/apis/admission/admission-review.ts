import { BodySyntaxError, decodeObjectBody } from '../../machinery/codec/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import {
  formatGroupVersion,
  formatKind,
  type GroupVersionKind,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';
import type { UserInfo } from '../kind-rules.ts';
import type { AdmissionResponse } from '../types/admission-v1.ts';
import { decodeAnswer, namedKind } from '../webhook-answer.ts';

/** Versions of reviews that are spoken here. */
export const reviewVersions = ['v1', 'v1beta1'] as const;
/** One of them. */
export type ReviewVersion = (typeof reviewVersions)[number];

/** A resource in one version, and the kind of the objects that come with it. */
interface ReviewedResource {
  readonly kind: GroupVersionKind;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** What a webhook is asked about. */
export interface ReviewedRequest {
  /** Of the review; the answer repeats it. */
  readonly uid: string;
  /** As the webhook's rules name it. */
  readonly matched: ReviewedResource;
  /** As the client named it. */
  readonly requested: ReviewedResource;
  readonly subresource: string;
  readonly name: string;
  readonly namespace: string;
  readonly operation: string;
  readonly user: UserInfo;
  /** In the version that was matched; undefined where there is none. */
  readonly object: object | undefined;
  readonly oldObject: object | undefined;
  readonly isDryRun: boolean;
  /** The options of the request as a kind of the API; undefined where it has none. */
  readonly options: object | undefined;
}

/** What a webhook says. */
export interface AdmissionAnswer {
  readonly isAllowed: boolean;
  /** Why, if it refuses. */
  readonly status: AdmissionResponse['status'];
  /** Bytes of the patch; undefined without one. */
  readonly patch: Buffer | undefined;
  readonly patchType: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** How an answer is read. */
export interface AnswerContext {
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  readonly version: ReviewVersion;
  readonly uid: string;
  /** Whether the webhook may change objects. */
  readonly isMutating: boolean;
}

/** An answer that cannot be taken; the message is release 1.20's. */
export class ReviewError extends Error {
  override readonly name = 'ReviewError';
}

const reviewKind = 'AdmissionReview';

/** The review of a request as JSON, in the form in which release 1.20 sends it. */
export function writeAdmissionReview(
  request: ReviewedRequest,
  { dialect, version }: Pick<AnswerContext, 'dialect' | 'version'>,
): string {
  const { matched, requested, subresource, name, namespace, user } = request;
  return JSON.stringify({
    kind: reviewKind,
    apiVersion: formatGroupVersion(dialect.group('admission'), version),
    request: {
      uid: request.uid,
      kind: kindOf(matched),
      resource: resourceOf(matched),
      subResource: subresource || undefined,
      requestKind: kindOf(requested),
      requestResource: resourceOf(requested),
      requestSubResource: subresource || undefined,
      name: name || undefined,
      namespace: namespace || undefined,
      operation: request.operation,
      userInfo: {
        username: user.name || undefined,
        uid: user.uid || undefined,
        groups: user.groups.length === 0 ? undefined : user.groups,
        extra: Object.keys(user.extra).length === 0 ? undefined : user.extra,
      },
      object: request.object ?? null,
      oldObject: request.oldObject ?? null,
      dryRun: request.isDryRun,
      options: request.options ?? null,
    },
  });
}

const kindOf = ({ kind: { group, version, kind } }: ReviewedResource): object => ({ group, version, kind });

const resourceOf = ({ group, version, resource }: ReviewedResource): object => ({ group, version, resource });

/** What an answer says. @throws ReviewError for what is no review of the version, or not of this request. */
export function readAdmissionReview(bytes: Buffer, context: AnswerContext): AdmissionAnswer {
  const { version, uid, isMutating } = context;
  const { response, kind } = decodeReview(bytes, context);
  if (response === undefined) throw new ReviewError('webhook response was absent');
  if (version === 'v1') {
    if (response.uid !== uid)
      throw new ReviewError(`expected response.uid=${quoteGo(uid)}, got ${quoteGo(response.uid)}`);
    checkKind(kind, context);
    checkPatch(response, isMutating);
  }
  const hasPatch = isMutating && (response.patch ?? '') !== '';
  return {
    isAllowed: response.allowed,
    status: response.status,
    patch: hasPatch ? Buffer.from(response.patch ?? '', 'base64') : undefined,
    // The older version does not look at the type.
    patchType: version === 'v1' ? (response.patchType ?? '') : 'JSONPatch',
    auditAnnotations: response.auditAnnotations ?? {},
    warnings: response.warnings ?? [],
  };
}

function checkKind(actual: GroupVersionKind, { dialect, version }: AnswerContext): void {
  const expected = { group: dialect.group('admission'), version, kind: reviewKind };
  const [given, wanted] = [formatKind(actual), formatKind(expected)];
  if (given !== wanted) throw new ReviewError(`expected webhook response of ${wanted}, got ${given}`);
}

function checkPatch({ patch = '', patchType }: AdmissionResponse, isMutating: boolean): void {
  const fail = (problem: string): never => {
    throw new ReviewError(problem);
  };
  if (!isMutating) {
    if (patch !== '') fail('validating webhook may not return response.patch');
    if (patchType !== undefined) fail('validating webhook may not return response.patchType');
    return;
  }
  if (patch !== '' && patchType === undefined)
    fail('webhook returned response.patch but not response.patchType');
  if (patch === '' && patchType !== undefined)
    fail('webhook returned response.patchType but not response.patch');
  if (patchType === '') fail('webhook returned invalid response.patchType of ""');
}

interface DecodedReview {
  /** What the answer calls itself; empty where it does not. */
  readonly kind: GroupVersionKind;
  readonly response: AdmissionResponse | undefined;
}

function decodeReview(bytes: Buffer, { dialect, catalog, version }: AnswerContext): DecodedReview {
  const value = parseAnswer(bytes);
  const expected = { group: dialect.group('admission'), version, kind: reviewKind };
  const refusal = (cause: string): Error => new ReviewError(cause);
  const { response } = decodeAnswer(value, { dialect, catalog, expected, refusal });
  // Both versions of the type have the same fields.
  return { kind: namedKind(value), response: response as AdmissionResponse | undefined };
}

/** Whatever media type the webhook names: what is no JSON may be YAML. @throws ReviewError */
function parseAnswer(bytes: Buffer): unknown {
  const isJson = /^\s*\{/.test(bytes.toString('latin1', 0, 64));
  try {
    return decodeObjectBody(bytes, isJson ? 'json' : 'yaml');
  } catch (error) {
    if (error instanceof BodySyntaxError) throw new ReviewError(error.message);
    throw error;
  }
}
