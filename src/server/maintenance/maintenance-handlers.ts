import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  internalError,
  otherFailure,
  serviceUnavailable,
  tooManyRequests,
} from '../../machinery/errors/index.ts';
import { CopyError, StorageError } from '../../storage/index.ts';
import type { Exchange, Handler } from '../request/exchange.ts';
import { isTrue } from '../request/request-info.ts';
import { respondValue } from '../request/respond.ts';
import { makeBackupDirectory } from './backup-directory.ts';
import { maintenancePaths, type StoreMaintenance } from './store-maintenance.ts';

/** The store to maintain, and a folder for its backups. */
export interface MaintenanceHandlerOptions {
  readonly maintenance: StoreMaintenance;
  /** Existing folder for backups while they are made; as large as the store. */
  readonly temporaryDirectory: string;
}

/** After so many seconds a client may ask again whether other work is done. */
const retryAfterSeconds = 5;

/** Handlers of the maintenance paths, by path. Who may call them is for the filters before them. */
export function createMaintenanceHandlers(options: MaintenanceHandlerOptions): ReadonlyMap<string, Handler> {
  const { maintenance } = options;
  return new Map<string, Handler>([
    [
      maintenancePaths.stats,
      only('GET', async (exchange) => respondValue(exchange, 200, await maintenance.stats())),
    ],
    [
      maintenancePaths.check,
      only(
        'POST',
        oneAtATime('check', async (exchange) =>
          respondValue(
            exchange,
            200,
            await maintenance.check({
              isQuick: isTrue(exchange.query.get('quick')),
              signal: exchange.signal,
            }),
          ),
        ),
      ),
    ],
    [
      maintenancePaths.compact,
      only(
        'POST',
        oneAtATime('compaction', async (exchange) =>
          respondValue(exchange, 200, await maintenance.compact()),
        ),
      ),
    ],
    [
      maintenancePaths.backup,
      only(
        'GET',
        oneAtATime('backup', (exchange) => sendBackup(exchange, options)),
      ),
    ],
  ]);
}

async function sendBackup(
  exchange: Exchange,
  { maintenance, temporaryDirectory }: MaintenanceHandlerOptions,
): Promise<void> {
  await using directory = await makeBackupDirectory(temporaryDirectory);
  const path = join(directory.path, 'backup.db');
  await maintenance.backupTo(path, { signal: exchange.signal });
  await sendFile(exchange, path, 'application/vnd.sqlite3');
}

/** @throws StatusError 405 for another method. */
function only(method: 'GET' | 'POST', handler: Handler): Handler {
  return async (exchange) => {
    if (exchange.method === method) return handler(exchange);
    throw otherFailure(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  };
}

/**
 * @throws StatusError 429 while another such request is worked on; 503 when the client left or the server stops before
 *   the work is done.
 */
function oneAtATime(what: string, handler: Handler): Handler {
  let isBusy = false;
  return async (exchange) => {
    if (isBusy) throw tooManyRequests(`another ${what} is under way, try again later`, retryAfterSeconds);
    isBusy = true;
    try {
      await handler(exchange);
    } catch (error) {
      throw exchange.signal.aborted ? serviceUnavailable(`the ${what} was interrupted`) : explain(error);
    } finally {
      isBusy = false;
    }
  };
}

/** Callers of these paths are administrators: they may see errors of the store in full. */
function explain(error: unknown): unknown {
  const isDiskFull =
    error instanceof Error && 'code' in error && (error.code === 'disk-full' || error.code === 'ENOSPC');
  if (isDiskFull)
    return otherFailure(507, 'InsufficientStorage', `there is not enough room on the server's disk`, {});
  return error instanceof StorageError || error instanceof CopyError ? internalError(error.message) : error;
}

/** A client that reads nothing for this time is disconnected. */
const stallTimeoutMs = 60_000;

/** Answers with the bytes of a file, whose length is told first. Rejects when they could not all be sent. */
async function sendFile(exchange: Exchange, path: string, contentType: string): Promise<void> {
  const { response, auditId, signal } = exchange;
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  response.writeHead(200, {
    'audit-id': auditId,
    'cache-control': 'no-store',
    'content-type': contentType,
    'content-length': size,
  });
  response.setTimeout(stallTimeoutMs, () => response.destroy());
  try {
    // Not more than the announced length; `await using` closes the file.
    const bytes = file.createReadStream({
      autoClose: false,
      highWaterMark: 256 * 1024,
      end: Math.max(0, size - 1),
    });
    await pipeline(bytes, response, { signal });
  } finally {
    response.setTimeout(0);
  }
}
