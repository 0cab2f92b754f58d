import { readFile } from 'node:fs/promises';
import { errorText } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';

/** Flags that name the files of a connection to etcd. */
export type EtcdTlsFlags = Pick<ServeConfig, 'etcd-cafile' | 'etcd-certfile' | 'etcd-keyfile'>;

/** PEM texts of a connection to etcd; each is undefined where no file was named. */
export interface EtcdTlsFiles {
  readonly caPem: string | undefined;
  readonly certificatePem: string | undefined;
  readonly keyPem: string | undefined;
}

/** Reads what the flags name. @throws Error naming the flag and the file that cannot be read. */
export async function readEtcdTls(flags: EtcdTlsFlags): Promise<EtcdTlsFiles> {
  const [caPem, certificatePem, keyPem] = await Promise.all([
    readNamed('etcd-cafile', flags),
    readNamed('etcd-certfile', flags),
    readNamed('etcd-keyfile', flags),
  ]);
  return { caPem, certificatePem, keyPem };
}

async function readNamed(flag: keyof EtcdTlsFlags, flags: EtcdTlsFlags): Promise<string | undefined> {
  const path = flags[flag];
  if (path === undefined) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = errorText(cause);
    throw new Error(`--${flag}: read ${path}: ${reason}`, { cause });
  }
}
