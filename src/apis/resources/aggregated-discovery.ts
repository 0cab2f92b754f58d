import type { GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ApiResource } from './discovery.ts';
import type { ChangingKind, ChangingResources, RemoteVersions } from './discovery-documents.ts';
import type { ResourceTable } from './resource-table.ts';
import type { ServedGroup, ServedResource, ServedSubresource } from './served-resource.ts';

/** A resource as the aggregated document has it; field order is the wire's. Source: `apidiscovery/v2`, `types.go`. */
export interface ApiResourceDiscovery {
  readonly resource: string;
  readonly responseKind: GroupVersionKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly ApiSubresourceDiscovery[];
}

/** A subresource as the aggregated document has it. */
export interface ApiSubresourceDiscovery {
  readonly subresource: string;
  readonly responseKind: GroupVersionKind;
  readonly verbs: readonly string[];
}

/** What the entries of a document are made from. */
export interface AggregatedSources {
  readonly table: ResourceTable;
  readonly customs?: ChangingResources | undefined;
  readonly remotes?: RemoteVersions | undefined;
  /** Groups in order of priority. */
  readonly groups: readonly ServedGroup[];
}

/** Texts of resources that come and go, by version: a kind never changes, so that its texts are made once. */
export type ResourceFragments = WeakMap<ChangingKind, ReadonlyMap<string, string>>;

/** The entry of a resource. Built-in kinds have a singular name here, as later releases say it. */
export function toResourceDiscovery(resource: ServedResource): ApiResourceDiscovery {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind: kindOf(resource),
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular || resource.kind.toLowerCase(),
    verbs: resource.verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0 ? { subresources: subresources.map(toSubresourceDiscovery) } : {}),
  };
}

const toSubresourceDiscovery = (subresource: ServedSubresource): ApiSubresourceDiscovery => ({
  subresource: subresource.name,
  responseKind: kindOf(subresource),
  verbs: subresource.verbs,
});

const kindOf = ({ group, version, kind }: GroupVersionKind): GroupVersionKind => ({ group, version, kind });

/**
 * The entries of groups as JSON, with commas between them, in pieces. What is not among the fragments is made and added to them;
 * an empty piece only says that some of it was done.
 */
export function* encodeGroups(sources: AggregatedSources, fragments: ResourceFragments): Generator<string> {
  const builtIn = new Map(sources.table.groups.map((group) => [group.name, group.versions]));
  let separator = '';
  for (const { name, versions } of sources.groups) {
    const kinds = [...(sources.customs?.kindsOf(name) ?? [])];
    for (const kind of kinds) {
      if (fragments.has(kind)) continue;
      fragments.set(kind, encodeKind(kind));
      yield '';
    }
    const entries = versions.map((version) => {
      const remote = sources.remotes?.resourcesOf(name, version);
      if (remote !== undefined) return encodeRemote(name, version, remote);
      const resources = builtIn.get(name)?.includes(version)
        ? sources.table.inVersion(name, version).map((each) => JSON.stringify(toResourceDiscovery(each)))
        : kinds.flatMap((kind) => fragments.get(kind)?.get(version) ?? []);
      return encodeVersion(version, resources, 'Current');
    });
    const metadata = { ...(name === '' ? {} : { name }), creationTimestamp: null };
    yield `${separator}{"metadata":${JSON.stringify(metadata)},"versions":[${entries.join()}]}`;
    separator = ',';
  }
}

const encodeKind = (kind: ChangingKind): ReadonlyMap<string, string> =>
  new Map(kind.shownResources().map((each) => [each.version, JSON.stringify(toResourceDiscovery(each))]));

const encodeVersion = (
  version: string,
  resources: readonly string[],
  freshness: 'Current' | 'Stale',
): string =>
  `{"version":${JSON.stringify(version)},"resources":[${resources.join()}],"freshness":"${freshness}"}`;

/** What another server serves, by its own list. Subresources follow their resource there. */
function encodeRemote(group: string, version: string, resources: readonly ApiResource[] | 'unknown'): string {
  if (resources === 'unknown') return encodeVersion(version, [], 'Stale');
  const kindIn = (one: ApiResource): GroupVersionKind => ({
    group: one.group || group,
    version: one.version || version,
    kind: one.kind,
  });
  const subresources = Map.groupBy(
    resources.filter(({ name }) => name.includes('/')),
    ({ name }) => name.slice(0, name.indexOf('/')),
  );
  const entries = resources
    .filter(({ name }) => !name.includes('/'))
    .map((one): ApiResourceDiscovery => {
      const { shortNames, categories } = one;
      const below = subresources.get(one.name)?.map((sub) => ({
        subresource: sub.name.slice(one.name.length + 1),
        responseKind: kindIn(sub),
        verbs: sub.verbs,
      }));
      return {
        resource: one.name,
        responseKind: kindIn(one),
        scope: one.namespaced ? 'Namespaced' : 'Cluster',
        singularResource: one.singularName || one.kind.toLowerCase(),
        verbs: one.verbs,
        ...(shortNames && { shortNames }),
        ...(categories && { categories }),
        ...(below && { subresources: below }),
      };
    });
  return encodeVersion(
    version,
    entries.map((entry) => JSON.stringify(entry)),
    'Current',
  );
}
