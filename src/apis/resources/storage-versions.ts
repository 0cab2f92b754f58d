import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { ResourceTable } from './resource-table.ts';
import type { ServedResource } from './served-resource.ts';

/** A `--storage-versions` that cannot be; the message says why. */
export class StorageVersionsError extends Error {
  override readonly name = 'StorageVersionsError';
}

/** Why a version cannot hold every object of a kind; undefined when it can. Versions are `group/version`. */
export type FindLoss = (kind: string, from: string, to: string) => string | undefined;

/** What `--storage-versions` is resolved with. */
export interface StorageVersionsOptions {
  /** What is served. */
  readonly table: ResourceTable;
  /** `group/version` for all resources of a version, `group/version/resource` for one. */
  readonly entries: readonly string[];
  readonly findLoss: FindLoss;
}

/**
 * The versions (`group/version`) to store objects in, by `group/version.Kind` of the usual storage version, for the
 * kinds that are to be stored in another than that.
 *
 * @throws StorageVersionsError for a version that is not served, stores nothing, cannot hold every object of the kind,
 * or contradicts another entry.
 */
export function resolveStorageVersions(options: StorageVersionsOptions): ReadonlyMap<string, string> {
  const { entries, findLoss } = options;
  const chosen = new Map<string, string>();
  for (const entry of entries) {
    const fail = (reason: string) => new StorageVersionsError(`--storage-versions: ${entry}: ${reason}`);
    for (const { group, version, kind, storage } of storedResources(options, entry, fail)) {
      const wanted = formatGroupVersion(group, version);
      const usual = formatGroupVersion(storage.group, storage.version);
      const key = `${usual}.${kind}`;
      const other = chosen.get(key) ?? wanted;
      if (other !== wanted) throw fail(`${kind} objects are to be stored in ${other} already`);
      const loss = wanted === usual ? undefined : findLoss(kind, usual, wanted);
      if (loss !== undefined) throw fail(`it cannot hold every ${kind}: ${loss}`);
      chosen.set(key, wanted);
    }
  }
  return new Map([...chosen].filter(([key, wanted]) => !key.startsWith(`${wanted}.`)));
}

type StoredResource = ServedResource & { readonly storage: NonNullable<ServedResource['storage']> };

function storedResources(
  { table }: StorageVersionsOptions,
  entry: string,
  fail: (reason: string) => StorageVersionsError,
): StoredResource[] {
  const { group, version, resource } = splitEntry(entry, table);
  const groupVersion = formatGroupVersion(group, version);
  const all = table.inVersion(group, version);
  if (all.length === 0) throw fail(notServed(table, group, groupVersion));
  const named = resource === undefined ? all : all.filter((item) => item.resource === resource);
  if (named.length === 0) throw fail(`${groupVersion} has no resource ${JSON.stringify(resource)}`);
  const stored = named.filter((item): item is StoredResource => item.storage !== undefined);
  if (stored.length === 0) throw fail(`nothing is stored of ${resource ?? groupVersion}`);
  return stored;
}

/** The core group has no name: `v1`, `v1/events`. */
function splitEntry(entry: string, table: ResourceTable) {
  const parts = entry.split('/');
  const core = table.groups.find(({ name }) => name === '');
  const isCore = core?.versions.includes(parts[0] ?? '') === true;
  const [group = '', version = '', resource] = isCore ? ['', ...parts] : parts;
  return { group, version, resource };
}

function notServed(table: ResourceTable, group: string, groupVersion: string): string {
  const served = table.groups.find(({ name }) => name === group)?.versions;
  const versions = served?.map((version) => formatGroupVersion(group, version)).join(', ');
  return versions === undefined
    ? `no version of the group ${JSON.stringify(group)} is served`
    : `${groupVersion} is not served; served are ${versions}`;
}
