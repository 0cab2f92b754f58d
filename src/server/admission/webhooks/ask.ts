import {
  type AdmissionAnswer,
  type AnswerContext,
  ReviewError,
  readAdmissionReview,
  WebhookRefusal,
  writeAdmissionReview,
} from '../../../apis/admission/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { badRequest, timeout } from '../../../machinery/errors/index.ts';
import { isQualifiedName } from '../../../machinery/formats/index.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { TypeCatalog } from '../../../machinery/schema/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import {
  CalloutError,
  type OperatorSettings,
  type WebhookCaller,
  type WebhookClientConfig,
} from '../../callouts/index.ts';
import type { Hook, Invocation } from './hooks.ts';
import { namespaceOf } from './match.ts';
import { optionsOf } from './request-options.ts';

/** What webhooks are asked with. */
export interface AskSources {
  readonly caller: WebhookCaller;
  readonly dialect: Dialect;
  readonly catalog: TypeCatalog;
  /** Of reviews. */
  readonly newUid: () => string;
  readonly nowMs: () => number;
  /** How the server makes itself known to webhooks of each kind, by host and port. */
  readonly credentials?: Readonly<Record<'mutating' | 'validating', CredentialsOf | undefined>> | undefined;
}

/** What is sent to prove who calls; undefined for nothing. */
export type CredentialsOf = (host: string) => OperatorSettings | undefined;

/** A question to one webhook. */
export interface Question {
  readonly invocation: Invocation;
  readonly attributes: AdmissionAttributes;
  /** In the version that the webhook's rules name. */
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly isMutating: boolean;
}

/** A webhook that gave no answer that can be taken; its failure policy says what follows. */
export class HookFailure extends Error {
  override readonly name = 'HookFailure';
}

/** Of an answer: a patch may bring the largest object, in base64. */
const maxResponseBytes = 16 * 1024 * 1024;

/**
 * Asks one webhook. What it wants to say to the client and to the audit log is passed on, whether it allows the request
 * or not.
 *
 * @throws HookFailure when there is no answer. @throws StatusError when the webhook refuses, or cannot be asked about a
 * dry run, or the request's own time is over.
 */
export async function askHook(question: Question, sources: AskSources): Promise<AdmissionAnswer> {
  const { invocation, attributes, isMutating } = question;
  const { hook } = invocation;
  if (attributes.isDryRun) checkDryRun(hook);
  const version = hook.reviewVersion;
  // Validation asks for one; a configuration of another server may have none.
  if (version === undefined)
    throw new HookFailure('webhook does not accept known AdmissionReview versions (v1, v1beta1)');
  const { request } = attributes;
  const remainingMs = (request?.deadlineMs ?? Infinity) - sources.nowMs();
  if (remainingMs <= 0) throw lateRequest();
  if (request !== undefined) request.hasAsked = true;
  const uid = sources.newUid();
  const context: AnswerContext = { ...sources, version, uid, isMutating };
  const answer = await call(question, context, sources, Math.min(hook.timeoutMs, remainingMs));
  tell(answer, hook, attributes);
  if (!answer.isAllowed) throw new WebhookRefusal(hook.name, answer.status);
  return answer;
}

function checkDryRun({ name, hasSideEffects }: Hook): void {
  if (hasSideEffects === undefined) throw new HookFailure('Webhook SideEffects is nil');
  if (hasSideEffects) throw badRequest(`admission webhook "${name}" does not support dry run`);
}

const lateRequest = (): Error => timeout('request did not complete within requested timeout', 0);

async function call(
  { invocation, attributes, object, oldObject }: Question,
  context: AnswerContext,
  { caller, dialect, credentials }: AskSources,
  timeoutMs: number,
): Promise<AdmissionAnswer> {
  const { hook, matched } = invocation;
  const { forms, request, user, operation, subresource, name, isDryRun } = attributes;
  const body = writeAdmissionReview(
    {
      uid: context.uid,
      matched,
      requested: forms?.requested ?? matched,
      subresource,
      name,
      namespace: namespaceOf(attributes),
      operation,
      user,
      object,
      oldObject,
      isDryRun,
      options: optionsOf(attributes, dialect),
    },
    context,
  );
  try {
    const of = credentials?.[context.isMutating ? 'mutating' : 'validating'];
    const client = of === undefined ? hook.client : { ...hook.client, more: of(hostOf(hook.client)) };
    const signal = request?.signal;
    const answer = await caller.call({ client, body, timeoutMs, maxResponseBytes, signal });
    return readAdmissionReview(answer.body, context);
  } catch (error) {
    if (error instanceof CalloutError || error instanceof ReviewError) throw new HookFailure(error.message);
    throw error;
  }
}

/** Host and port as the configuration writes them. */
function hostOf({ url = '', service }: WebhookClientConfig): string {
  if (service === undefined) return new URL(url).host;
  return `${service.name}.${service.namespace}.svc:${service.port ?? 443}`;
}

function tell(answer: AdmissionAnswer, hook: Hook, { request }: AdmissionAttributes): void {
  if (request === undefined) return;
  for (const [key, value] of Object.entries(answer.auditAnnotations)) {
    const name = `${hook.name}/${key}`;
    if (isQualifiedName(name).length === 0) request.annotate(name, value, 'Metadata');
  }
  for (const text of answer.warnings) request.warn(text);
}
