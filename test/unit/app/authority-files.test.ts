import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { AuthorityFiles } from '../../../src/app/authority-files.ts';
import { type KeyPair, makeAuthority, PkiError } from '../../../src/server/pki/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

const lasting = { nowMs: Date.now(), lifetimeMs: 3_600_000 };

describe('AuthorityFiles', () => {
  let directory: TemporaryDirectory;
  let authorities: readonly KeyPair[];
  const pem = (at: number): string => authorities[at]?.certificatePem ?? '';
  const file = (name: string): string => join(directory.path, name);
  before(async () => {
    const names = ['own', 'a', 'b', 'c'];
    authorities = await Promise.all(names.map((commonName) => makeAuthority({ commonName, ...lasting })));
  });
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    await writeFile(file('clients'), pem(1) + pem(2));
    await writeFile(file('proxies'), pem(3));
  });
  afterEach(() => directory.remove());
  const open = () => AuthorityFiles.open({ own: pem(0), clients: file('clients'), proxies: file('proxies') });

  it('believes the server itself and all of a file', async () => {
    const files = await open();
    expect(files.clients.pems).to.deep.equal([pem(0), pem(1), pem(2)]);
    expect(files.proxies.pems).to.deep.equal([pem(3)]);
    expect(files.pems).to.have.length(4);
  });

  it('believes no proxy without a file', async () => {
    const files = await AuthorityFiles.open({ own: pem(0), clients: undefined, proxies: undefined });
    expect([files.clients.pems, files.proxies.pems]).to.deep.equal([[pem(0)], []]);
    expect(await files.refresh()).to.equal(undefined);
  });

  it('says when a file has others, and believes them', async () => {
    const files = await open();
    let notices = 0;
    files.onReplaced(() => notices++);
    expect(await files.refresh()).to.equal(undefined);
    expect(notices).to.equal(0);
    await writeFile(file('clients'), pem(2));
    await writeFile(file('proxies'), pem(3) + pem(1));
    expect(await files.refresh()).to.equal(true);
    expect(files.clients.pems).to.deep.equal([pem(0), pem(2)]);
    expect(files.proxies.pems).to.deep.equal([pem(3), pem(1)]);
    expect(await files.refresh()).to.equal(undefined);
    expect(notices).to.equal(1);
  });

  it('believes the servers of its store, until it is told of others', async () => {
    const files = await open();
    let notices = 0;
    files.onReplaced(() => notices++);
    files.believeServers([pem(3), pem(0)]);
    expect(files.clients.pems).to.deep.equal([pem(0), pem(3), pem(1), pem(2)]);
    files.believeServers([pem(3), pem(0)]);
    expect(notices).to.equal(1);
    await writeFile(file('clients'), pem(2));
    await files.refresh();
    expect(files.clients.pems).to.deep.equal([pem(0), pem(3), pem(2)]);
    files.believeServers([pem(0)]);
    expect(files.clients.pems).to.deep.equal([pem(0), pem(2)]);
    expect(notices).to.equal(3);
  });

  for (const [what, spoil] of [
    ['is gone', () => rm(file('proxies'))],
    ['holds no certificate', () => writeFile(file('proxies'), 'nothing')],
  ] as const) {
    it(`goes on with all of them as they were when one ${what}`, async () => {
      const files = await open();
      await writeFile(file('clients'), pem(2));
      await spoil();
      expect(await files.refresh().catch((error: unknown) => error)).to.be.instanceOf(PkiError);
      expect(files.pems).to.deep.equal([pem(0), pem(1), pem(2), pem(3)]);
    });
  }
});
