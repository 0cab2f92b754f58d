import type { ServeConfig } from '../config/serve/index.ts';
import { readFlagFile } from './read-flag-file.ts';

/** Flags that name the files of a connection to etcd. */
export type EtcdTlsFlags = Pick<ServeConfig, 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile'>;

/** PEM texts of a connection to etcd; each is undefined where no file was named. */
export interface EtcdTlsFiles {
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
