import type { Clock, Logger } from '../base/index.ts';
import { etcdServers, type ServeConfig, storageRoot } from '../config/serve/index.ts';
import type { Storage } from '../storage/index.ts';
import { readFlagFile } from './read-flag-file.ts';

/** How an etcd cluster is reached, as the flags say. */
export type EtcdFlags = EtcdTlsFlags & Pick<ServeConfig, 'etcdPrefix'>;

export interface OpenEtcdOptions {
  readonly flags: EtcdFlags;
  readonly historyMs: number;
  /** How long members are waited for; five seconds when left out. */
  readonly openTimeoutMs?: number;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** Whether a URL is `etcd:URL,URL`. */
export function isEtcdUrl(url: string): boolean {
  return endpointsOf(url) !== undefined;
}

/**
 * Opens the store in the etcd cluster that a URL names.
 *
 * @throws RangeError for a URL that names none; StorageError `unavailable` when no member answers; Error naming a
 * flag's file that cannot be read.
 */
export async function openEtcd(url: string, { flags, ...options }: OpenEtcdOptions): Promise<Storage> {
  const endpoints = endpointsOf(url);
  if (endpoints === undefined) throw new RangeError(`storage ${url}: expected etcd:URL,URL`);
  const tls = await readEtcdTls(flags);
  const { openEtcdStorage } = await import('../storage/etcd/index.ts');
  return openEtcdStorage({ endpoints, keyPrefix: storageRoot(flags), tls, ...options });
}

function endpointsOf(url: string): readonly string[] | undefined {
  return etcdServers({ storage: url, etcdServers: [] });
}

/** Flags that name the files of a connection to etcd. */
type EtcdTlsFlags = Pick<ServeConfig, 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile'>;

/** PEM texts of a connection to etcd; each is undefined where no file was named. */
interface EtcdTlsFiles {
  readonly caPem: string | undefined;
  readonly certificatePem: string | undefined;
  readonly keyPem: string | undefined;
}

/** Reads what the flags name. @throws Error naming the flag and the file that cannot be read. */
export async function readEtcdTls(flags: EtcdTlsFlags): Promise<EtcdTlsFiles> {
  const [caPem, certificatePem, keyPem] = await Promise.all([
    readNamed('etcd-cafile', flags.etcdCafile),
    readNamed('etcd-certfile', flags.etcdCertfile),
    readNamed('etcd-keyfile', flags.etcdKeyfile),
  ]);
  return { caPem, certificatePem, keyPem };
}

function readNamed(flag: string, path: string | undefined): Promise<string> | undefined {
  return path === undefined ? undefined : readFlagFile(flag, path);
}
