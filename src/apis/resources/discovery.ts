import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { ServedGroup, ServedResource } from './served-resource.ts';

/** Entry of an `APIResourceList`; field order is the wire's. */
export interface ApiResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly group?: string | undefined;
  readonly version?: string | undefined;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[] | undefined;
  readonly categories?: readonly string[] | undefined;
  readonly storageVersionHash?: string | undefined;
}

/** Answer of `/api/v1` and `/apis/GROUP/VERSION`. */
export interface ApiResourceList {
  readonly kind: 'APIResourceList';
  readonly apiVersion?: 'v1' | undefined;
  readonly groupVersion: string;
  readonly resources: readonly ApiResource[];
}

/** A group and version in discovery documents. */
export interface GroupVersionForDiscovery {
  readonly groupVersion: string;
  readonly version: string;
}

/** A group as `/apis` lists it. */
export interface ApiGroup {
  readonly name: string;
  readonly versions: readonly GroupVersionForDiscovery[];
  readonly preferredVersion: GroupVersionForDiscovery;
}

/** Answer of `/apis/GROUP`. */
export interface ApiGroupDocument extends ApiGroup {
  readonly kind: 'APIGroup';
  readonly apiVersion: 'v1';
}

/** Answer of `/apis`. */
export interface ApiGroupList {
  readonly kind: 'APIGroupList';
  readonly apiVersion: 'v1';
  readonly groups: readonly ApiGroup[];
}

/** Which address clients of a network should use. */
export interface ServerAddressByClientCidr {
  readonly clientCIDR: string;
  readonly serverAddress: string;
}

/** Answer of `/api`. */
export interface ApiVersions {
  readonly kind: 'APIVersions';
  readonly versions: readonly string[];
  readonly serverAddressByClientCIDRs: readonly ServerAddressByClientCidr[];
}

/** Entries of one resource: itself, then its subresources in name order. */
export function toApiResources(resource: ServedResource): ApiResource[] {
  const { resource: name, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  const own: ApiResource = {
    name,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(resource.storageVersionHash === undefined ? {} : { storageVersionHash: resource.storageVersionHash }),
  };
  const subresources = resource.subresources.map((sub): ApiResource => {
    const isForeign = sub.group !== resource.group || sub.version !== resource.version;
    return {
      name: `${name}/${sub.name}`,
      singularName: '',
      namespaced,
      ...(isForeign ? { ...(sub.group === '' ? {} : { group: sub.group }), version: sub.version } : {}),
      kind: sub.kind,
      verbs: sub.verbs,
    };
  });
  return [own, ...subresources];
}

/** The list of one version, in the order given. The core group's list has no `apiVersion`, as in release 1.20. */
export function toApiResourceList(
  group: string,
  version: string,
  resources: readonly ServedResource[],
): ApiResourceList {
  return {
    kind: 'APIResourceList',
    // The oldest two groups are those of clients that know no version here.
    ...(group === '' || group === 'extensions' ? {} : { apiVersion: 'v1' as const }),
    groupVersion: formatGroupVersion(group, version),
    resources: resources.flatMap(toApiResources),
  };
}

/** A group's entry of the group list. */
export function toApiGroup(group: ServedGroup): ApiGroup {
  const entry = (version: string): GroupVersionForDiscovery => ({
    groupVersion: formatGroupVersion(group.name, version),
    version,
  });
  return {
    name: group.name,
    versions: group.versions.map(entry),
    preferredVersion: entry(group.preferredVersion),
  };
}

/** The document of one group. */
export function toApiGroupDocument(group: ServedGroup): ApiGroupDocument {
  return { kind: 'APIGroup', apiVersion: 'v1', ...toApiGroup(group) };
}

/** The list of groups, in the order given; the core group is never in it. */
export function toApiGroupList(groups: readonly ServedGroup[]): ApiGroupList {
  const named = groups.filter((group) => group.name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: named.map(toApiGroup) };
}

/** The document of the core group. */
export function toApiVersions(
  groups: readonly ServedGroup[],
  addresses: readonly ServerAddressByClientCidr[],
): ApiVersions {
  const core = groups.find((group) => group.name === '');
  return { kind: 'APIVersions', versions: core?.versions ?? [], serverAddressByClientCIDRs: addresses };
}

/** The document of `/`: paths of all discovery documents and `otherPaths` (health checks, metrics), sorted. */
export function toRootPaths(
  groups: readonly ServedGroup[],
  otherPaths: readonly string[],
): { readonly paths: readonly string[] } {
  const paths = new Set(['/api', '/apis', '/apis/', ...otherPaths]);
  for (const { name, versions } of groups) {
    const base = name === '' ? '/api' : `/apis/${name}`;
    paths.add(base);
    for (const version of versions) paths.add(`${base}/${version}`);
  }
  return { paths: [...paths].sort() };
}
