import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEtcdTls } from '../../../src/app/read-etcd-tls.ts';
import { makeTemporaryDirectory } from '../../support/temporary-directory.ts';

const none = { 'etcd-cafile': undefined, 'etcd-certfile': undefined, 'etcd-keyfile': undefined };

describe('readEtcdTls', () => {
  it('reads the files that are named', async () => {
    const directory = await makeTemporaryDirectory();
    const path = join(directory.path, 'ca.pem');
    await writeFile(path, 'PEM');
    const read = await readEtcdTls({ ...none, 'etcd-cafile': path });
    await directory.remove();
    expect(read).to.deep.equal({ caPem: 'PEM', certificatePem: undefined, keyPem: undefined });
  });

  for (const flag of ['etcd-cafile', 'etcd-certfile', 'etcd-keyfile'] as const) {
    it(`names --${flag} when its file cannot be read`, async () => {
      const failure = await readEtcdTls({ ...none, [flag]: '/nowhere/file' }).catch((error: Error) => error);
      expect(String(failure)).to.match(new RegExp(`--${flag}: read /nowhere/file: ENOENT`));
    });
  }
});
