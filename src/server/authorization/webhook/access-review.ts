import type { SubjectAccessReviewSpec } from '../../../apis/types/authorization-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../../machinery/schema/index.ts';
import type { AuthorizationQuestion } from '../authorizer.ts';

/** Versions of reviews that a webhook may be sent. */
export type AccessReviewVersion = 'v1' | 'v1beta1';

/** The kind that is sent and expected back. */
export function accessReviewKind(dialect: Dialect, version: AccessReviewVersion): GroupVersionKind {
  return { group: dialect.group('authorization'), version, kind: 'SubjectAccessReview' };
}

/** What a webhook is asked: who wants to do what. Empty fields are left out. */
export function accessReviewSpec({ user, request }: AuthorizationQuestion): SubjectAccessReviewSpec {
  const { namespace, verb, group, version, resource, subresource, name, path } = request;
  return {
    ...(request.isResource
      ? { resourceAttributes: filled({ namespace, verb, group, version, resource, subresource, name }) }
      : { nonResourceAttributes: filled({ path, verb }) }),
    ...filled({ user: user.name }),
    ...(user.groups.length > 0 ? { groups: [...user.groups] } : {}),
    ...(Object.keys(user.extra).length > 0 ? { extra: sortedExtra(user.extra) } : {}),
    ...filled({ uid: user.uid }),
  };
}

/** The review of a question as JSON, in the form in which release 1.20 sends it. */
export function writeAccessReview(
  { group, version, kind }: GroupVersionKind,
  spec: SubjectAccessReviewSpec,
): string {
  const { resourceAttributes, nonResourceAttributes, user, groups, ...more } = spec;
  const { extra, uid } = more;
  const review = {
    kind,
    apiVersion: formatGroupVersion(group, version),
    metadata: { creationTimestamp: null },
    // The beta version calls groups by another name.
    spec: {
      resourceAttributes,
      nonResourceAttributes,
      user,
      [version === 'v1beta1' ? 'group' : 'groups']: groups,
      extra,
      uid,
    },
    status: { allowed: false },
  };
  return `${JSON.stringify(review)}\n`;
}

const filled = (fields: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));

const sortedExtra = (extra: Readonly<Record<string, readonly string[]>>): Record<string, string[]> =>
  Object.fromEntries(
    Object.keys(extra)
      .sort()
      .map((key) => [key, [...(extra[key] ?? [])]]),
  );
