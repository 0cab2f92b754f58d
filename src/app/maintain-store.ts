import type { Dialect } from '../machinery/dialect.ts';
import type {
  BackupOptions,
  CheckOptions,
  CheckReport,
  CompactReport,
  StatsReport,
  StoreMaintenance,
} from '../server/maintenance/index.ts';
import { copyStore, type Storage, StorageError } from '../storage/index.ts';
import type { SqliteStorage } from '../storage/sqlite/index.ts';
import { checkObjects } from './check-objects.ts';
import { copyRules, databaseRoot } from './copy-rules.ts';

export interface MaintainedStore {
  readonly storage: Storage;
  /** `sqlite:PATH`, `etcd:URLS` or `memory:`. */
  readonly url: string;
  readonly dialect: Dialect['name'];
  /** Where the keys of objects begin, with a slash at the end. */
  readonly root: string;
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

async function statsOf({ storage, url, dialect }: MaintainedStore): Promise<StatsReport> {
  const { revision, compactedRevision, objectCount, sizeBytes } = await storage.stats();
  const driver = url.slice(0, url.indexOf(':'));
  return { driver, dialect, revision, compactedRevision, objectCount, sizeBytes };
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
