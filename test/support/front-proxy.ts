import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueCertificate, makeAuthority } from '../../src/server/pki/index.ts';
import { makeTemporaryDirectory } from './temporary-directory.ts';

/** Flags of a server that names users to other servers, and of those that believe it. */
export interface FrontProxyFlags {
  readonly front: readonly string[];
  readonly behind: readonly string[];
  remove(): Promise<void>;
}

/** Makes an authority of proxies, and a certificate of it for a server in front, called `front-proxy-client`. */
export async function makeFrontProxy(): Promise<FrontProxyFlags> {
  const directory = await makeTemporaryDirectory();
  const times = { nowMs: Date.now(), lifetimeMs: 3_600_000 };
  const authority = await makeAuthority({ commonName: 'proxies', ...times });
  const subject = { commonName: 'front-proxy-client' };
  const pair = await issueCertificate({ authority, subject, usage: 'client', ...times });
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(directory.path, name);
    await writeFile(path, text);
    return path;
  };
  const authorityFile = await write('proxies.crt', authority.certificatePem);
  const certificateFile = await write('front.crt', pair.certificatePem);
  const keyFile = await write('front.key', pair.privateKeyPem);
  return {
    front: [`--proxy-client-cert-file=${certificateFile}`, `--proxy-client-key-file=${keyFile}`],
    behind: [
      `--requestheader-client-ca-file=${authorityFile}`,
      '--requestheader-allowed-names=front-proxy-client',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ],
    remove: () => directory.remove(),
  };
}
