import { statfs } from 'node:fs/promises';
import { asJsonObject } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type {
  BackupOptions,
  CheckOptions,
  CheckReport,
  CompactReport,
  StatsReport,
  StoreMaintenance,
} from '../server/maintenance/index.ts';
import { copyStore, readPages, type Storage, StorageError, type StoredObject } from '../storage/index.ts';
import type { SqliteStorage } from '../storage/sqlite/index.ts';
import { copyRules, databaseRoot } from './copy-rules.ts';
import { sqlitePath } from './serve-paths.ts';

export interface MaintainedStore {
  readonly storage: Storage;
  /** `sqlite:PATH`, `etcd:URLS` or `memory:`. */
  readonly url: string;
  readonly dialect: Dialect['name'];
  /** Where the keys of objects begin, with a slash at the end. */
  readonly root: string;
  /** True in the server that runs on the store, which alone knows how long history is kept. */
  readonly isServed?: boolean;
}

/** Care of an open store, of any driver. */
export function maintainStore(store: MaintainedStore): StoreMaintenance {
  return {
    stats: () => statsOf(store),
    check: (options) => check(store, options),
    compact: () => compact(store),
    backupTo: (path, options) => backUp(store, path, options),
  };
}

async function statsOf({ storage, url, dialect, isServed }: MaintainedStore): Promise<StatsReport> {
  const { history, ...stats } = await storage.stats();
  const driver = url.slice(0, url.indexOf(':'));
  return { driver, dialect, ...stats, disk: await diskOf(url), history: isServed ? history : undefined };
}

async function diskOf(url: string): Promise<StatsReport['disk']> {
  const path = sqlitePath(url);
  if (path === undefined) return undefined;
  const { bsize, blocks, bavail } = await statfs(path);
  return { sizeBytes: blocks * bsize, freeBytes: bavail * bsize };
}

async function check(
  { storage, root }: MaintainedStore,
  { isQuick = false, signal }: CheckOptions = {},
): Promise<CheckReport> {
  const damage = isSqlite(storage) ? await findDamage(storage, isQuick ? 'quick' : 'full') : [];
  const objects = await checkObjects(storage, { root, signal });
  const problems = [...damage, ...objects.problems];
  return { isSound: problems.length === 0, ...objects, problems };
}

async function findDamage(storage: SqliteStorage, mode: 'quick' | 'full'): Promise<readonly string[]> {
  try {
    return await storage.verify(mode);
  } catch (error) {
    if (error instanceof StorageError && error.code === 'corrupt') return [error.message];
    throw error;
  }
}

async function compact({ storage }: MaintainedStore): Promise<CompactReport> {
  const before = await storage.stats();
  await storage.compact(before.revision);
  if (isSqlite(storage)) await storage.vacuum();
  const { compactedRevision, sizeBytes } = await storage.stats();
  return { compactedRevision, sizeBeforeBytes: before.sizeBytes, sizeAfterBytes: sizeBytes };
}

/** A store that is no SQLite file is copied into one. */
async function backUp(
  { storage, dialect, root }: MaintainedStore,
  path: string,
  { signal }: BackupOptions = {},
): Promise<void> {
  if (isSqlite(storage)) {
    await storage.backupTo(path, { signal });
    return;
  }
  const { openSqliteStorage } = await import('../storage/sqlite/index.ts');
  await using copy = await openSqliteStorage({ path, dialect });
  await copyStore(storage, copy, {
    ...copyRules({ root, withEvents: true }),
    targetRoot: databaseRoot,
    signal,
  });
}

/** By what it can do, so that the driver is loaded only where it is used. */
function isSqlite(storage: Storage): storage is SqliteStorage {
  return 'backupTo' in storage && 'vacuum' in storage && 'verify' in storage;
}

/** Small pages, because parsing one keeps everything else waiting. */
const pageBytes = 512 * 1024;
const maxProblems = 20;

interface CheckedObjects {
  readonly objectCount: number;
  readonly revision: number;
  readonly problems: readonly string[];
}

/** Reads all objects below `root` and says which are none: values that are no JSON or do not tell their revision. */
export async function checkObjects(
  storage: Storage,
  { root, signal }: { readonly root: string; readonly signal?: AbortSignal | undefined },
): Promise<CheckedObjects> {
  const problems: string[] = [];
  let objectCount = 0;
  let revision = 0;
  try {
    for await (const page of readPages(storage, { root, pageBytes, signal })) {
      revision = page.revision;
      objectCount += page.objects.length;
      for (const object of page.objects) {
        const problem = problemOf(object);
        if (problem !== undefined && problems.length < maxProblems)
          problems.push(`${object.key}: ${problem}`);
      }
    }
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt') throw error;
    problems.push(error.message);
  }
  return { objectCount, revision, problems };
}

function problemOf({ bytes, revision, problem }: StoredObject): string | undefined {
  if (problem !== undefined) return problem;
  try {
    const found = asJsonObject(asJsonObject(JSON.parse(bytes.toString())).metadata).resourceVersion;
    return found === String(revision)
      ? undefined
      : `has resourceVersion ${JSON.stringify(found)}, not ${revision}`;
  } catch {
    return 'is no JSON';
  }
}
