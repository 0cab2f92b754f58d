import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Logger } from '../base/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import type { Storage } from '../storage/index.ts';

export interface OpenStorageOptions {
  /** `memory:` or `sqlite:PATH`. */
  readonly url: string;
  readonly dialect: Dialect;
  readonly historyMs: number;
  readonly logger: Logger;
  readonly clock: Clock;
}

/**
 * Opens the storage that a URL names.
 *
 * @throws RangeError for another scheme; StorageError when it cannot be opened.
 */
export async function openStorage({
  url,
  dialect,
  historyMs,
  logger,
  clock,
}: OpenStorageOptions): Promise<Storage> {
  if (url === 'memory:') {
    const { openMemoryStorage } = await import('../storage/memory/index.ts');
    return openMemoryStorage({ clock, historyMs });
  }
  if (!url.startsWith('sqlite:')) throw new RangeError(`storage ${url}: expected sqlite:PATH or memory:`);
  const path = url.slice('sqlite:'.length);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { openSqliteStorage } = await import('../storage/sqlite/index.ts');
  return openSqliteStorage({ path, dialect: dialect.name, historyMs, logger, clock });
}
