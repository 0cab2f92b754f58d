import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type RestClient, TransportError } from '../client/rest/index.ts';
import type { ConfigOf } from '../config/index.ts';
import type { storeOptions } from '../config/maintenance/index.ts';
import { StatusError } from '../machinery/errors/index.ts';
import {
  type BackupOptions,
  type CheckReport,
  type CompactReport,
  maintenancePaths,
  type StatsReport,
  type StoreMaintenance,
} from '../server/maintenance/index.ts';
import { connectAsAdmin, dataDirectoryOf, isThere } from './admin-client.ts';
import { localMaintenance } from './local-maintenance.ts';
import type { ProgramIo } from './program-io.ts';
import { databaseUrl } from './serve-paths.ts';

/** Flags that say where a store is. */
export type StoreFlags = Omit<ConfigOf<typeof storeOptions>, 'output' | 'help'>;

/** A store that a command works on. */
export interface FoundStore extends Disposable {
  /** As messages name it: the URL of a server or of a store. */
  readonly name: string;
  readonly maintenance: StoreMaintenance;
}

/**
 * Finds the store that the flags mean: one that they name; else that of the server which the client configuration
 * leads to; else, when no server answers there, that of the default data directory.
 *
 * @throws ClientConfigError, StatusError, TransportError; Error that says what to do when there is none.
 */
export async function findStore(flags: StoreFlags, io: ProgramIo): Promise<FoundStore> {
  const directory = flags.dataDir;
  if (flags.storage !== undefined) return localStore(flags.storage, flags);
  if (directory !== undefined) return localStore(databaseUrl(resolve(directory)), flags);
  const { client } = await connectAsAdmin(flags, io);
  try {
    await client.json({ method: 'GET', path: '/-/storage/stats' });
    return {
      name: client.server,
      maintenance: remoteMaintenance(client),
      [Symbol.dispose]: () => client.close(),
    };
  } catch (error) {
    client.close();
    const isSilent = error instanceof TransportError && error.code === 'refused';
    if (!isSilent || namesServer(flags)) throw explain(error, client.server);
    return await defaultStore(client.server, flags, io);
  }
}

function localStore(url: string, flags: StoreFlags): FoundStore {
  const maintenance = localMaintenance({ url, dialect: flags.dialect, etcd: flags });
  return { name: url, maintenance, [Symbol.dispose]() {} };
}

async function defaultStore(server: string, flags: StoreFlags, io: ProgramIo): Promise<FoundStore> {
  const directory = dataDirectoryOf(io);
  const url = databaseUrl(directory);
  if (await isThere(url.slice('sqlite:'.length))) return localStore(url, flags);
  throw new Error(
    `no server answers at ${server}, and there is no database in ${directory}: start the server, or give --orchconfig, --server or --data-dir`,
  );
}

function namesServer(flags: StoreFlags): boolean {
  return Boolean(flags.orchconfig ?? flags.server ?? flags.context);
}

/** Says what to do about answers that users will meet. */
function explain(error: unknown, server: string): unknown {
  if (error instanceof TransportError) {
    const hint = 'start the server, or give --data-dir or --storage to open its store directly';
    return new Error(`no answer from ${server}: ${error.message}; ${hint}`, { cause: error });
  }
  if (!(error instanceof StatusError)) return error;
  if (error.code === 404)
    return new Error(`${server} has no store to look after: it is another server, or an older one`);
  const isRefused = error.code === 401 || error.code === 403;
  if (!isRefused) return error;
  const hint =
    'it takes a user of the group system:masters, such as that of admin.orchconfig in the data directory';
  return new Error(`${error.message}; ${hint}`, { cause: error });
}

/** Care of the store of a running server, over its API. @throws StatusError, TransportError from each call. */
function remoteMaintenance(client: RestClient): StoreMaintenance {
  return {
    stats: () => client.json<StatsReport>({ method: 'GET', path: maintenancePaths.stats }),
    check: ({ isQuick = false, signal } = {}) =>
      client.json<CheckReport>({
        method: 'POST',
        path: maintenancePaths.check,
        query: { quick: isQuick ? 'true' : undefined },
        signal,
      }),
    compact: () => client.json<CompactReport>({ method: 'POST', path: maintenancePaths.compact }),
    backupTo: (path, options) => download(client, path, options),
  };
}

/** The file is complete and on the disk when this resolves. */
async function download(client: RestClient, path: string, options: BackupOptions = {}): Promise<void> {
  const { signal, onProgress } = options;
  const answer = await client.stream({ method: 'GET', path: maintenancePaths.backup, accept: '*/*', signal });
  try {
    const length = Number(answer.headers['content-length']);
    const totalBytes = Number.isFinite(length) ? length : undefined;
    await using file = await open(path, 'wx', 0o600);
    let doneBytes = 0;
    for await (const chunk of answer.chunks) {
      await file.appendFile(chunk);
      doneBytes += chunk.length;
      onProgress?.({ doneBytes, totalBytes });
    }
    if (totalBytes !== undefined && doneBytes !== totalBytes) {
      throw new Error(`the server sent ${doneBytes} of ${totalBytes} bytes`);
    }
    await file.sync();
  } finally {
    answer.close();
  }
}
