import { join, resolve } from 'node:path';
import { etcdServers, type ServeConfig } from '../config/serve/index.ts';
import type { ProgramIo } from './program-io.ts';

/** Where a server keeps what it keeps; everything `undefined` in an ephemeral one. */
export interface ServePaths {
  readonly dataDirectory: string | undefined;
  readonly keyDirectory: string | undefined;
  /** `sqlite:PATH`, `memory:` or `etcd:URL,URL`. */
  readonly storageUrl: string;
}

/** Completes the paths of a configuration. @throws RangeError when there is no place for data */
export function servePaths(config: ServeConfig, io: ProgramIo): ServePaths {
  if (config.ephemeral)
    return { dataDirectory: undefined, keyDirectory: config.certDir, storageUrl: 'memory:' };
  const dataDirectory = resolve(config.dataDir ?? defaultDataDirectory(io));
  return {
    dataDirectory,
    keyDirectory: resolve(config.certDir ?? join(dataDirectory, 'pki')),
    storageUrl: config.storage ?? etcdUrl(config) ?? databaseUrl(dataDirectory),
  };
}

function etcdUrl(config: ServeConfig): string | undefined {
  const servers = etcdServers(config);
  return servers === undefined ? undefined : `etcd:${servers.join(',')}`;
}

/** The store in a data directory. */
export function databaseUrl(dataDirectory: string): string {
  return `sqlite:${join(dataDirectory, 'orch.db')}`;
}

/** Path of a database; undefined for stores of other kinds. */
export function sqlitePath(url: string): string | undefined {
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : undefined;
}

/** Where data is kept when nobody says where. @throws RangeError when there is no place for it */
export function defaultDataDirectory({ env, home, isRoot }: ProgramIo): string {
  if (isRoot) return '/var/lib/orch';
  const shared = env.XDG_DATA_HOME;
  if (shared !== undefined && shared !== '') return join(shared, 'orch');
  if (home === undefined || home === '')
    throw new RangeError('data directory: there is no home folder; give --data-dir');
  return join(home, '.local/share/orch');
}
