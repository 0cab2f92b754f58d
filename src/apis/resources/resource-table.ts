import type { Dialect } from '../../machinery/dialect.ts';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from '../../machinery/schema/index.ts';
import { createDeprecations, type Deprecation, type FindDeprecation } from './deprecations.ts';
import { loadResources, type ResourceData, type ResourcesData } from './resource-data.ts';
import { type EnabledVersions, type RuntimeConfig, resolveRuntimeConfig } from './runtime-config.ts';
import type { ServedGroup, ServedResource, ServedSubresource } from './served-resource.ts';
import { computeStorageVersionHash } from './storage-version-hash.ts';

/** What decides which resources are served. */
export interface ResourceTableOptions {
  readonly dialect: Dialect;
  readonly runtimeConfig?: RuntimeConfig | undefined;
  /** Enabled feature gates; the default ones when left out. */
  readonly gates?: ReadonlySet<string> | undefined;
  /**
   * Versions (`group/version`) that objects are stored in, by `group/version.Kind` of the usual one, where another was
   * asked for: discovery tells that the version changed.
   */
  readonly storageVersions?: ReadonlyMap<string, string> | undefined;
}

/** The built-in resources that a server serves. Fixed for its lifetime; every lookup takes constant time. */
export interface ResourceTable {
  readonly dialect: Dialect;
  /** Keys of `--runtime-config` that turn on what later releases have, and are on. */
  readonly later: ReadonlySet<string>;
  /** Groups in discovery order, the core group first. */
  readonly groups: readonly ServedGroup[];
  /** All resources, in discovery order of groups, versions and names. */
  readonly resources: readonly ServedResource[];
  /** The resource that a path names. */
  find(group: string, version: string, resource: string): ServedResource | undefined;
  /** The resources of one version, in discovery order; empty when the version is not served. */
  inVersion(group: string, version: string): readonly ServedResource[];
  /** The resource whose objects have this kind. */
  byKind(gvk: GroupVersionKind): ServedResource | undefined;
  /** The resource in the most preferred version that has it. */
  preferred(group: string, resource: string): ServedResource | undefined;
}

/** Gates that are on by default and that the table asks for. */
const usualGates: ReadonlySet<string> = new Set(['StorageVersionHash']);

/**
 * Makes the table of a server.
 *
 * @throws RuntimeConfigError when the runtime configuration makes no sense.
 */
export function createResourceTable(options: ResourceTableOptions): ResourceTable {
  const { dialect, runtimeConfig = {}, gates = usualGates, storageVersions } = options;
  const data = loadResources(dialect);
  const find = createDeprecations(dialect);
  const enabled = resolveRuntimeConfig(data.groups, runtimeConfig, laterKeysOf(data));
  const groups: ServedGroup[] = [];
  const resources: ServedResource[] = [];
  for (const group of data.groups) {
    const versions = group.versions.filter((v) => enabled.versions.has(formatGroupVersion(group.name, v)));
    const [first] = versions;
    if (first === undefined) continue;
    const preferredVersion = versions.includes(group.preferred) ? group.preferred : first;
    groups.push({ name: group.name, versions, preferredVersion });
    for (const version of versions) {
      const ofVersion = data.resources[formatGroupVersion(group.name, version)] ?? {};
      for (const [resource, entry] of Object.entries(ofVersion)) {
        const identity = { group: group.name, version, resource };
        if (isServed(identity, entry, enabled, gates))
          resources.push(buildResource(identity, entry, { gates, find, storageVersions }));
      }
    }
  }
  return { ...indexResources(dialect, groups, resources), later: enabled.later };
}

/** Keys of what later releases have. */
function laterKeysOf({ features, resources }: ResourcesData): ReadonlySet<string> {
  const named = Object.values(resources).flatMap((each) =>
    Object.values(each).flatMap((entry) => entry.named ?? []),
  );
  return new Set([...features, ...named]);
}

function isServed(
  identity: GroupVersionResource,
  entry: ResourceData,
  enabled: EnabledVersions,
  gates: ReadonlySet<string>,
): boolean {
  if (entry.gate !== undefined && !gates.has(entry.gate)) return false;
  if (entry.named !== undefined && !enabled.later.has(entry.named)) return false;
  const key = `${formatGroupVersion(identity.group, identity.version)}/${identity.resource}`;
  return enabled.resources.get(key) ?? true;
}

interface BuildContext {
  readonly gates: ReadonlySet<string>;
  readonly find: FindDeprecation;
  readonly storageVersions: ReadonlyMap<string, string> | undefined;
}

function buildResource(
  identity: GroupVersionResource,
  entry: ResourceData,
  { gates, find, storageVersions }: BuildContext,
): ServedResource {
  const storage = entry.storage === undefined ? undefined : toKind(entry.storage, entry.kind);
  const wanted = storageVersions?.get(`${entry.storage}.${entry.kind}`);
  const written = wanted === undefined ? storage : toKind(wanted, entry.kind);
  return {
    ...identity,
    kind: entry.kind,
    listKind: `${entry.kind}List`,
    singular: entry.singular,
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    namespaced: entry.namespaced,
    verbs: entry.verbs,
    subresources: buildSubresources(entry, gates, find),
    ...mark(find({ ...identity, kind: entry.kind })),
    ...(storage === undefined || written === undefined
      ? {}
      : {
          storage,
          storePrefix: entry.storePrefix,
          ...(gates.has('StorageVersionHash')
            ? { storageVersionHash: computeStorageVersionHash(written) }
            : {}),
        }),
  };
}

function buildSubresources(
  entry: ResourceData,
  gates: ReadonlySet<string>,
  find: FindDeprecation,
): ServedSubresource[] {
  return Object.entries(entry.sub ?? {})
    .filter(([, sub]) => sub.gate === undefined || gates.has(sub.gate))
    .map(([name, sub]) => {
      const gvk = toKind(sub.gv, sub.kind);
      return { name, ...gvk, verbs: sub.verbs, ...mark(find(gvk)) };
    });
}

const mark = (deprecation: Deprecation | undefined) => (deprecation === undefined ? {} : { deprecation });

function toKind(groupVersion: string, kind: string): GroupVersionKind {
  const parsed = parseGroupVersion(groupVersion);
  if (parsed === undefined) throw new RangeError(`resource data: bad version "${groupVersion}"`);
  return { ...parsed, kind };
}

function indexResources(
  dialect: Dialect,
  groups: readonly ServedGroup[],
  resources: readonly ServedResource[],
): Omit<ResourceTable, 'later'> {
  const byPath = new Map<string, Map<string, Map<string, ServedResource>>>();
  const byKind = new Map<string, ServedResource>();
  const preferred = new Map<string, ServedResource>();
  for (const item of resources) {
    const versions = getOrAdd(byPath, item.group);
    getOrAdd(versions, item.version).set(item.resource, item);
    byKind.set(`${item.group}/${item.version}/${item.kind}`, item);
    const key = `${item.group}/${item.resource}`;
    const known = preferred.get(key);
    const preferredVersion = groups.find((group) => group.name === item.group)?.preferredVersion;
    if (known === undefined || item.version === preferredVersion) preferred.set(key, item);
  }
  return {
    dialect,
    groups,
    resources,
    find: (group, version, resource) => byPath.get(group)?.get(version)?.get(resource),
    inVersion: (group, version) => [...(byPath.get(group)?.get(version)?.values() ?? [])],
    byKind: ({ group, version, kind }) => byKind.get(`${group}/${version}/${kind}`),
    preferred: (group, resource) => preferred.get(`${group}/${resource}`),
  };
}

function getOrAdd<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}
