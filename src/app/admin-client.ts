import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { systemClock } from '../base/index.ts';
import {
  type ClientConfig,
  loadClientConfig,
  locateClientConfig,
  resolveContext,
} from '../client/config/index.ts';
import { obtainConnection } from '../client/credentials/index.ts';
import { createRestClient, type RestClient } from '../client/rest/index.ts';
import { createDialect } from '../machinery/dialect.ts';
import type { ProgramIo } from './program-io.ts';
import { defaultDataDirectory } from './serve-paths.ts';

/** Flags that say how a running server is reached. */
export interface ConnectionFlags {
  readonly orchconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly server?: string | undefined;
  readonly certificateAuthority?: string | undefined;
  readonly token?: string | undefined;
  readonly dialect: 'orch' | 'kubernetes';
}

/**
 * A client as `ctl` would have it; without a client configuration, with the one that the server writes beside its data.
 *
 * @throws ClientConfigError; TransportError when a program or a provider gives no credentials
 */
export async function connectAsAdmin(
  flags: ConnectionFlags,
  io: ProgramIo,
): Promise<{ readonly client: RestClient; readonly config: ClientConfig }> {
  const config = await loadClientConfig(await locate(flags, io));
  const resolved = resolveContext(config, {
    context: flags.context,
    server: flags.server,
    certificateAuthority: flags.certificateAuthority,
    token: flags.token,
  });
  const connection = await obtainConnection(resolved, {
    dialect: createDialect(flags.dialect),
    env: io.env,
    clock: systemClock,
    isInteractive: io.isTerminal === true,
  });
  return { client: createRestClient({ connection, userAgent: 'orch' }), config };
}

async function locate(flags: ConnectionFlags, io: ProgramIo): Promise<ReturnType<typeof locateClientConfig>> {
  const dialect = createDialect(flags.dialect);
  const home = io.home ?? '';
  const locations = locateClientConfig({ flag: flags.orchconfig, env: io.env, home, dialect });
  if (locations.isExplicit || locations.isFromEnvironment || flags.server !== undefined) return locations;
  const found = await Promise.all(locations.files.map(isThere));
  return found.includes(true)
    ? locations
    : { ...locations, files: [join(dataDirectoryOf(io), 'admin.orchconfig')] };
}

/** Where `orch serve` keeps its data when nobody says where. @throws RangeError when there is no place for it */
export function dataDirectoryOf(io: ProgramIo): string {
  return resolve(io.env.ORCH_DATA_DIR || defaultDataDirectory(io));
}

/** Whether a file or folder is there. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
