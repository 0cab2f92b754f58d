import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { loadClientConfig, locateClientConfig, resolveContext } from '../client/config/index.ts';
import { createRestClient, type RestClient, TransportError } from '../client/rest/index.ts';
import type { ConfigOf } from '../config/index.ts';
import type { storeOptions } from '../config/maintenance/index.ts';
import { createDialect } from '../machinery/dialect.ts';
import { StatusError } from '../machinery/errors/index.ts';
import type { StoreMaintenance } from '../server/maintenance/index.ts';
import { localMaintenance } from './local-maintenance.ts';
import type { ProgramIo } from './program-io.ts';
import { remoteMaintenance } from './remote-maintenance.ts';
import { databaseUrl, defaultDataDirectory } from './serve-paths.ts';

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
  const client = await connect(flags, io);
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
  const directory = defaultDirectory(io);
  const url = databaseUrl(directory);
  if (await isThere(url.slice('sqlite:'.length))) return localStore(url, flags);
  throw new Error(
    `no server answers at ${server}, and there is no database in ${directory}: start the server, or give --orchconfig, --server or --data-dir`,
  );
}

function namesServer(flags: StoreFlags): boolean {
  return Boolean(flags.orchconfig ?? flags.server ?? flags.context);
}

/** As `ctl` would; without a client configuration, with the one that the server writes beside its data. */
async function connect(flags: StoreFlags, io: ProgramIo): Promise<RestClient> {
  const config = await loadClientConfig(await locate(flags, io));
  const { connection } = resolveContext(config, {
    context: flags.context,
    server: flags.server,
    certificateAuthority: flags.certificateAuthority,
    token: flags.token,
  });
  return createRestClient({ connection, userAgent: 'orch' });
}

async function locate(flags: StoreFlags, io: ProgramIo): Promise<ReturnType<typeof locateClientConfig>> {
  const dialect = createDialect(flags.dialect);
  const home = io.home ?? '';
  const locations = locateClientConfig({ flag: flags.orchconfig, env: io.env, home, dialect });
  if (locations.isExplicit || locations.isFromEnvironment || flags.server !== undefined) return locations;
  const found = await Promise.all(locations.files.map(isThere));
  return found.includes(true)
    ? locations
    : { ...locations, files: [join(defaultDirectory(io), 'admin.orchconfig')] };
}

function defaultDirectory(io: ProgramIo): string {
  return resolve(io.env.ORCH_DATA_DIR || defaultDataDirectory(io));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
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
