import { dirname } from 'node:path';
import { type Clock, type Logger, makeDirectory, type TurnQueue } from '../base/index.ts';
import { type ServeConfig, storageRoot } from '../config/serve/index.ts';
import { createDialect, type Dialect } from '../machinery/dialect.ts';
import { type Storage, StorageError } from '../storage/index.ts';
import { isEtcdUrl, openEtcd } from './open-etcd.ts';

/** How long a server waits at its start for an etcd that answers late. Source: release 1.20. */
const openTimeoutMs = 20_000;

export interface OpenStorageOptions {
  /** `memory:`, `sqlite:PATH` or `etcd:URL,URL`. */
  readonly url: string;
  /** What is said of etcd beside its URLs, and how long history is kept. */
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Where those who write wait for their turn to go on. */
  readonly turns?: TurnQueue | undefined;
}

/**
 * Opens the storage that a URL names.
 *
 * @throws RangeError for another scheme; StorageError when it cannot be opened; Error naming a flag's file that cannot
 * be read.
 */
export async function openStorage({
  url,
  config,
  dialect,
  logger,
  clock,
  turns,
}: OpenStorageOptions): Promise<Storage> {
  const history = historyLimits(config);
  if (url === 'memory:') {
    const { openMemoryStorage } = await import('../storage/memory/index.ts');
    return openMemoryStorage({ clock, ...history });
  }
  if (isEtcdUrl(url)) {
    const storage = await openEtcd(url, { flags: config, ...history, openTimeoutMs, logger, clock });
    try {
      await checkSharedDialect(storage, { root: storageRoot(config), dialect });
    } catch (error) {
      await storage[Symbol.asyncDispose]();
      throw error;
    }
    return storage;
  }
  if (!url.startsWith('sqlite:')) {
    throw new RangeError(`storage ${url}: expected sqlite:PATH, memory: or etcd:URL,URL`);
  }
  const path = url.slice('sqlite:'.length);
  await makeDirectory(dirname(path));
  const { openSqliteStorage } = await import('../storage/sqlite/index.ts');
  return openSqliteStorage({ path, dialect: dialect.name, ...history, logger, clock, turns });
}

/** A longer history than the one that watches and paged lists need is bounded in bytes. */
function historyLimits({
  etcdCompactionIntervalMs: leastHistoryMs,
  historyMs,
  historyMegabytes = 256,
}: ServeConfig) {
  if (historyMs <= leastHistoryMs || leastHistoryMs === 0) return { historyMs: leastHistoryMs };
  return { historyMs, leastHistoryMs, maxHistoryBytes: historyMegabytes * mebibyte };
}

const mebibyte = 1024 * 1024;

/**
 * Refuses a store whose servers spell names otherwise. Etcd holds nothing but objects, so the namespaces tell: each
 * server makes its own system namespace, and none may make that of the other dialect.
 *
 * @throws StorageError `wrong-dialect`.
 */
export async function checkSharedDialect(
  storage: Storage,
  { root, dialect }: { readonly root: string; readonly dialect: Dialect },
): Promise<void> {
  const other = createDialect(dialect.name === 'orch' ? 'kubernetes' : 'orch');
  const has = async ({ systemNamespace }: Dialect): Promise<boolean> =>
    (await storage.get(`${root}namespaces/${systemNamespace}`)) !== undefined;
  if (!(await has(other)) || (await has(dialect))) return;
  throw new StorageError(
    'wrong-dialect',
    `objects below ${root} were made with dialect "${other.name}": a server with "${dialect.name}" cannot share them`,
  );
}
