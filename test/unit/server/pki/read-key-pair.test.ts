import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type KeyPair,
  makeAuthority,
  PkiError,
  readAuthorities,
  readKeyPair,
} from '../../../../src/server/pki/index.ts';

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason);
  return error instanceof PkiError ? error.code : 'no failure';
}

describe('reading certificates of the user', () => {
  let folder: string;
  let pair: KeyPair;
  let other: KeyPair;
  const at = (name: string) => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'orch-pki-'));
    const options = { nowMs: Date.now(), lifetimeMs: 60_000 };
    pair = await makeAuthority({ commonName: 'one', ...options });
    other = await makeAuthority({ commonName: 'two', ...options });
    await writeFile(at('a.crt'), pair.certificatePem);
    await writeFile(at('a.key'), pair.privateKeyPem);
    await writeFile(at('b.key'), other.privateKeyPem);
    await writeFile(at('bundle.crt'), `comment\n${pair.certificatePem}\n${other.certificatePem}`);
    await writeFile(at('text'), 'nothing');
  });
  after(() => rm(folder, { recursive: true }));

  it('readKeyPair reads a pair that fits', async () => {
    expect(await readKeyPair({ certificate: at('a.crt'), privateKey: at('a.key') })).to.deep.equal(pair);
  });

  it('readKeyPair tells missing, unreadable and mismatched files apart', async () => {
    expect(await codeOf(readKeyPair({ certificate: at('a.crt'), privateKey: at('none') }))).to.equal(
      'missing',
    );
    expect(await codeOf(readKeyPair({ certificate: at('text'), privateKey: at('a.key') }))).to.equal(
      'unreadable',
    );
    expect(await codeOf(readKeyPair({ certificate: at('a.crt'), privateKey: at('text') }))).to.equal(
      'unreadable',
    );
    expect(await codeOf(readKeyPair({ certificate: at('a.crt'), privateKey: at('b.key') }))).to.equal(
      'mismatch',
    );
  });

  it('readAuthorities returns every certificate of a bundle', async () => {
    expect(await readAuthorities(at('bundle.crt'))).to.have.length(2);
    expect(await codeOf(readAuthorities(at('text')))).to.equal('unreadable');
    expect(await codeOf(readAuthorities(at('none')))).to.equal('missing');
  });
});
