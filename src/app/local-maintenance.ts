import { access } from 'node:fs/promises';
import { storageRoot } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { CheckReport, StoreMaintenance } from '../server/maintenance/index.ts';
import { type Storage, StorageError } from '../storage/index.ts';
import { databaseRoot } from './copy-rules.ts';
import { maintainStore } from './maintain-store.ts';
import { type EtcdFlags, isEtcdUrl, openEtcd } from './open-etcd.ts';
import { sqlitePath } from './serve-paths.ts';

export interface LocalStore {
  /** `sqlite:PATH` or `etcd:URL,URL`. */
  readonly url: string;
  /** For stores that do not say themselves. */
  readonly dialect: Dialect['name'];
  /** Used for etcd only. */
  readonly etcd: EtcdFlags;
}

/** A store that this process opened. */
export interface OpenedStore extends AsyncDisposable {
  readonly storage: Storage;
  readonly dialect: Dialect['name'];
  /** Where the keys of objects begin, with a slash at the end. */
  readonly root: string;
}

/** Long enough that nothing is forgotten while a command works. */
const historyMs = 7 * 24 * 60 * 60 * 1000;

/**
 * Opens a store that is there already.
 *
 * @throws StorageError `unavailable` when it is not, `locked` when a server runs on it; RangeError for a URL that is none.
 */
export async function openLocalStore(local: LocalStore): Promise<OpenedStore> {
  const path = sqlitePath(local.url);
  if (path === undefined) return open(local, local.dialect);
  await requireFile(path);
  try {
    return await open(local, 'orch');
  } catch (error) {
    // A database knows its dialect and refuses the others.
    if (!(error instanceof StorageError) || error.code !== 'wrong-dialect') throw explainLock(error);
    return open(local, 'kubernetes');
  }
}

/** Opens a store, or makes an empty database. @throws as `openLocalStore`. */
export async function openOrMakeStore(local: LocalStore): Promise<OpenedStore> {
  const path = sqlitePath(local.url);
  if (path !== undefined && (await exists(path))) return openLocalStore(local);
  return open(local, local.dialect);
}

/** Care of a store that no server runs on; it is open only while something is done. */
export function localMaintenance(local: LocalStore): StoreMaintenance {
  const path = sqlitePath(local.url);
  const use = async <Result>(work: (store: StoreMaintenance) => Promise<Result>): Promise<Result> => {
    await using opened = await openLocalStore(local);
    return await work(maintainStore({ ...opened, url: local.url }));
  };
  return {
    stats: () => use((store) => store.stats()),
    check: (options) => (path === undefined ? use((store) => store.check(options)) : checkFile(path)),
    compact: () => use((store) => store.compact()),
    backupTo: (target, options) => use((store) => store.backupTo(target, options)),
  };
}

/** Without opening it as a store, which a damaged one may not let happen. */
async function checkFile(path: string): Promise<CheckReport> {
  await requireFile(path);
  const { checkDatabase } = await import('../storage/sqlite/index.ts');
  try {
    const { findings, objectCount, revision } = await checkDatabase(path);
    return { isSound: findings.length === 0, objectCount, revision, problems: findings };
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'corrupt') throw explainLock(error);
    return { isSound: false, objectCount: 0, revision: 0, problems: [error.message] };
  }
}

async function open({ url, etcd }: LocalStore, dialect: Dialect['name']): Promise<OpenedStore> {
  const path = sqlitePath(url);
  if (path === undefined && !isEtcdUrl(url))
    throw new RangeError(`storage ${url}: expected sqlite:PATH or etcd:URL,URL`);
  const storage =
    path === undefined ? await openEtcd(url, { flags: etcd, historyMs }) : await openDatabase(path, dialect);
  const root = path === undefined ? storageRoot(etcd) : databaseRoot;
  return { storage, dialect, root, [Symbol.asyncDispose]: async () => storage[Symbol.asyncDispose]() };
}

async function openDatabase(path: string, dialect: Dialect['name']): Promise<Storage> {
  const { openSqliteStorage } = await import('../storage/sqlite/index.ts');
  return openSqliteStorage({ path, dialect, historyMs });
}

async function requireFile(path: string): Promise<void> {
  if (!(await exists(path))) throw new StorageError('unavailable', `there is no database ${path}`);
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false; // a path out of reach counts as none; making it will say why
  }
}

function explainLock(error: unknown): unknown {
  if (!(error instanceof StorageError) || error.code !== 'locked') return error;
  const hint =
    'stop the server that runs on it, or ask it with --orchconfig=FILE, such as admin.orchconfig in its data directory';
  return new StorageError('locked', `${error.message}: ${hint}`, { cause: error });
}
