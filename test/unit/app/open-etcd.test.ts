import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEtcdTls } from '../../../src/app/open-etcd.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const none = { etcdCafile: undefined, etcdCertfile: undefined, etcdKeyfile: undefined };

describe('readEtcdTls', () => {
  it('reads the files that are named', async () => {
    const directory = await makeTemporaryDirectory();
    const path = join(directory.path, 'ca.pem');
    await writeFile(path, 'PEM');
    const read = await readEtcdTls({ ...none, etcdCafile: path });
    await directory.remove();
    expect(read).to.deep.equal({ caPem: 'PEM', certificatePem: undefined, keyPem: undefined });
  });

  for (const [flag, key] of [
    ['etcd-cafile', 'etcdCafile'],
    ['etcd-certfile', 'etcdCertfile'],
    ['etcd-keyfile', 'etcdKeyfile'],
  ] as const) {
    it(`names --${flag} when its file cannot be read`, async () => {
      const failure = await readEtcdTls({ ...none, [key]: '/nowhere/file' }).catch((error: Error) => error);
      expect(String(failure)).to.match(
        new RegExp(`--${flag}: read /nowhere/file: no such file or directory`),
      );
    });
  }
});
