import {
  type ApiResource,
  type ServerAddressByClientCidr,
  toApiGroupDocument,
  toApiGroupList,
  toApiResourceList,
  toApiVersions,
  toRootPaths,
} from './discovery.ts';
import { joinGroups, type RankedVersion } from './group-order.ts';
import type { ResourceTable } from './resource-table.ts';
import type { ServedGroup, ServedResource } from './served-resource.ts';

/** What discovery documents say beside the resources. */
export interface DiscoveryOptions {
  readonly addresses: readonly ServerAddressByClientCidr[];
  /** Paths for `/` that are no discovery documents: health checks, metrics. */
  readonly otherPaths: readonly string[];
  /** Resources that come and go; none when left out. */
  readonly customs?: ChangingResources | undefined;
  /** Versions that other servers serve; none when left out. */
  readonly remotes?: RemoteVersions | undefined;
}

/** Versions of groups that other servers serve. */
export interface RemoteVersions {
  /** Grows with every change. */
  readonly revision: number;
  list(): Iterable<RankedVersion>;
  /**
   * The resources of a version; `undefined` when this server serves it itself, `unknown` when its server did not say yet.
   */
  resourcesOf(group: string, version: string): readonly ApiResource[] | 'unknown' | undefined;
}

/** A kind of resources that come and go: it never changes itself, but another one may take its place. */
export interface ChangingKind {
  /** Its resource in each version that is shown. */
  shownResources(): readonly ServedResource[];
}

/** Resources that come and go. */
export interface ChangingResources {
  /** Grows with every change. */
  readonly revision: number;
  /** Groups with at least one version, in discovery order. */
  groups(): readonly ServedGroup[];
  /** The resources of one version, in discovery order; empty when the version is not served. */
  inVersion(group: string, version: string): readonly ServedResource[];
  /** The kinds of a group, in discovery order. */
  kindsOf(group: string): Iterable<ChangingKind>;
  /** Groups that were there once; `/` still lists them. */
  readonly formerGroups: Iterable<string>;
}

/** All discovery documents by path, without slashes at the end. */
export interface Discovery {
  /** The document of a path; undefined when it is none. */
  get(path: string): object | undefined;
  /** All groups in order of priority, the core group first. */
  groups(): readonly ServedGroup[];
  /** Whether a group of this name is built in. */
  hasBuiltIn(group: string): boolean;
}

/**
 * The discovery documents. Those of built-in versions are made once; those of resources that come and go when they are asked
 * for, and the lists of all groups when something has changed since.
 */
export function buildDiscovery(table: ResourceTable, options: DiscoveryOptions): Discovery {
  const builtIn = new Map(table.groups.map((group) => [group.name, group]));
  const { customs, remotes } = options;
  const fixed = fixedDocuments(table, options);
  let lists: Lists | undefined;
  const changing = (): Lists => {
    const revision = `${customs?.revision} ${remotes?.revision}`;
    if (lists?.revision !== revision) {
      const groups = joinGroups(table, customs?.groups() ?? [], [...(remotes?.list() ?? [])]);
      lists = { revision, groups, documents: listDocuments(groups, options) };
    }
    return lists;
  };
  return {
    get(path) {
      const [, root, group = '', version, ...rest] = path.split('/');
      const document = fixed.get(path);
      if (document !== undefined || rest.length > 0) return document;
      if (root !== 'apis' || version === undefined) return changing().documents.get(path);
      const resources = customs?.inVersion(group, version) ?? [];
      return resources.length === 0 ? undefined : toApiResourceList(group, version, resources);
    },
    groups: () => changing().groups,
    hasBuiltIn: (group) => builtIn.has(group),
  };
}

/** What tells of all groups, at a revision of the resources that come and go. */
interface Lists {
  readonly revision: string;
  readonly groups: readonly ServedGroup[];
  readonly documents: ReadonlyMap<string, object>;
}

/** Those that never change, by path. */
function fixedDocuments(table: ResourceTable, { addresses }: DiscoveryOptions): ReadonlyMap<string, object> {
  const documents = new Map<string, object>([['/api', toApiVersions(table.groups, addresses)]]);
  for (const group of table.groups) {
    const base = group.name === '' ? '/api' : `/apis/${group.name}`;
    for (const version of group.versions) {
      const resources = table.inVersion(group.name, version);
      documents.set(`${base}/${version}`, toApiResourceList(group.name, version, resources));
    }
  }
  return documents;
}

/** Those that tell of all groups, or of all versions of one, by path. */
function listDocuments(
  groups: readonly ServedGroup[],
  { otherPaths, customs }: DiscoveryOptions,
): ReadonlyMap<string, object> {
  const former = [...(customs?.formerGroups ?? [])].map((name) => `/apis/${name}`);
  const paths = toRootPaths(groups, [...otherPaths, ...former]);
  const documents = new Map<string, object>([
    ['/', paths],
    ['/index.html', paths],
    ['/apis', toApiGroupList(groups)],
  ]);
  for (const group of groups) {
    if (group.name !== '') documents.set(`/apis/${group.name}`, toApiGroupDocument(group));
  }
  return documents;
}
