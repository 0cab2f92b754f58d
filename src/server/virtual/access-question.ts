import type { UserInfo } from '../../apis/kind-rules.ts';
import type {
  NonResourceAttributes,
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
  SubjectAccessReviewStatus,
} from '../../apis/types/authorization-v1.ts';
import { renderGo } from '../../apis/validation/index.ts';
import {
  type FieldError,
  fieldPath,
  invalid,
  invalidValue,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import type { ObjectMeta } from '../../machinery/meta/index.ts';
import type { AuthorizationQuestion, Authorizer } from '../authorization/index.ts';
import type { Endpoint } from '../handlers/endpoint.ts';

const specPath = fieldPath('spec');

/** Field errors of what an access review asks about: a resource or a path, never both. */
export function attributesErrors(spec: SelfSubjectAccessReviewSpec, endpoint: Endpoint): FieldError[] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined && nonResourceAttributes !== undefined) {
    const shown = showPath(nonResourceAttributes, endpoint);
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalidValue(specPath.child('nonResourceAttributes'), shown, detail)];
  }
  if (resourceAttributes !== undefined || nonResourceAttributes !== undefined) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalidValue(specPath.child('resourceAttributes'), null, detail)];
}

/** A path in question, as messages show it. */
export function showPath(attributes: NonResourceAttributes, { context }: Endpoint): VerbatimValue {
  return renderGo(attributes, 'authorization.orch.io/v1.NonResourceAttributes', context.catalog);
}

/** Field errors of who an access review asks about. */
export function subjectErrors({ user }: SubjectAccessReviewSpec, groups: readonly string[]): FieldError[] {
  if (user || groups.length > 0) return [];
  return [
    invalidValue(specPath.child('user'), user ?? '', 'at least one of user or group must be specified'),
  ];
}

/** Reviews carry no metadata. */
export function metadataErrors(
  metadata: ObjectMeta,
  { context }: Endpoint,
  { detail, ignored }: { readonly detail: string; readonly ignored: readonly (keyof ObjectMeta)[] },
): FieldError[] {
  const { managedFields: _, ...shown } = metadata;
  const isEmpty = Object.entries(shown).every(
    ([name, value]) => value === undefined || value === null || (ignored as readonly string[]).includes(name),
  );
  if (isEmpty) return [];
  const { text } = renderGo(shown, 'meta.orch.io/v1.ObjectMeta', context.catalog);
  const value = new VerbatimValue(
    text.replace('CreationTimestamp:v1.Time{}', `CreationTimestamp:${zeroTime}`),
  );
  return [invalidValue(fieldPath('metadata'), value, detail)];
}

const zeroTime = 'v1.Time{Time:time.Time{wall:0x0, ext:0, loc:(*time.Location)(nil)}}';

/** @throws StatusError 422; release 1.20 names no kind in it. */
export function throwIfInvalid(errors: readonly FieldError[], { info }: Endpoint): void {
  if (errors.length > 0) throw invalid({ group: info.group, kind: '' }, '', errors);
}

/** The user that a review asks about. */
export function subjectOf(spec: SubjectAccessReviewSpec, groups: readonly string[]): UserInfo {
  return { name: spec.user ?? '', uid: spec.uid ?? '', groups, extra: spec.extra ?? {} };
}

/** The groups of a review; the beta version calls them `group`. */
export function groupsOf(spec: SubjectAccessReviewSpec): readonly string[] {
  const { group } = spec as { readonly group?: readonly string[] };
  return spec.groups ?? group ?? [];
}

/** Asks the authorizer. What keeps it from deciding is reported in the answer (`evaluationError`). */
export async function decide(
  authorizer: Authorizer,
  { user, asker }: Pick<AuthorizationQuestion, 'user' | 'asker'>,
  spec: SelfSubjectAccessReviewSpec,
): Promise<SubjectAccessReviewStatus> {
  const { isAllowed, isDenied, reason, error } = await authorizer.authorize({
    user,
    request: questionOf(spec),
    asker,
  });
  return {
    allowed: isAllowed,
    ...(isDenied ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(error === undefined ? {} : { evaluationError: error }),
  };
}

function questionOf(spec: SelfSubjectAccessReviewSpec): AuthorizationQuestion['request'] {
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (resourceAttributes !== undefined) return resourceQuestion(resourceAttributes);
  const { path = '', verb = '' } = nonResourceAttributes ?? {};
  return { ...nothing, isResource: false, path, verb };
}

function resourceQuestion(attributes: ResourceAttributes): AuthorizationQuestion['request'] {
  const { verb = '', namespace = '', group = '', version = '' } = attributes;
  const { resource = '', subresource = '', name = '' } = attributes;
  return { isResource: true, verb, namespace, group, version, resource, subresource, name, path: '' };
}

const nothing = { group: '', version: '', namespace: '', resource: '', subresource: '', name: '' };
