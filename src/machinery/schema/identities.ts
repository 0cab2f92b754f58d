/** A kind in a version of a group. The core group is the empty string. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A resource type (the plural name in a path) in a version of a group. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** A resource type of a group, whatever the version; used in messages as `deployments.apps`. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `v1` for the core group, else `group/version`. */
export function formatGroupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1, Kind=Deployment`, and `/v1, Kind=Pod` of the core group: how messages of release 1.20 name a kind. */
export const formatKind = ({ group, version, kind }: GroupVersionKind): string =>
  `${group}/${version}, Kind=${kind}`;

/** The inverse of `formatGroupVersion`; undefined when there is more than one slash. */
export function parseGroupVersion(text: string): { group: string; version: string } | undefined {
  const parts = text.split('/');
  if (parts.length === 1) return { group: '', version: parts[0] ?? '' };
  if (parts.length === 2) return { group: parts[0] ?? '', version: parts[1] ?? '' };
  return undefined;
}

/** `pods` or `deployments.apps`: how messages name a resource type. */
export function formatGroupResource(resource: GroupResource): string {
  return resource.group === '' ? resource.resource : `${resource.resource}.${resource.group}`;
}
