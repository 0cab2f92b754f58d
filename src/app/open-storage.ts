import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Logger } from '../base/index.ts';
import { etcdServers, type ServeConfig, storageRoot } from '../config/serve/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { Storage } from '../storage/index.ts';
import { checkSharedDialect } from './check-shared-dialect.ts';
import { readEtcdTls } from './read-etcd-tls.ts';

export interface OpenStorageOptions {
  /** `memory:`, `sqlite:PATH` or `etcd:URL,URL`. */
  readonly url: string;
  /** What is said of etcd beside its URLs, and how long history is kept. */
  readonly config: ServeConfig;
  readonly dialect: Dialect;
  readonly logger: Logger;
  readonly clock: Clock;
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
}: OpenStorageOptions): Promise<Storage> {
  const historyMs = config['etcd-compaction-interval'];
  if (url === 'memory:') {
    const { openMemoryStorage } = await import('../storage/memory/index.ts');
    return openMemoryStorage({ clock, historyMs });
  }
  const endpoints = etcdServers({ storage: url, 'etcd-servers': [] });
  if (endpoints !== undefined) {
    const tls = await readEtcdTls(config);
    const { openEtcdStorage } = await import('../storage/etcd/index.ts');
    const root = storageRoot(config);
    const storage = await openEtcdStorage({ endpoints, keyPrefix: root, tls, historyMs, logger, clock });
    try {
      await checkSharedDialect(storage, { root, dialect });
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
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { openSqliteStorage } = await import('../storage/sqlite/index.ts');
  return openSqliteStorage({ path, dialect: dialect.name, historyMs, logger, clock });
}
