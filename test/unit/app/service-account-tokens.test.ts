import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { continueTokenKey, openTokenTrust } from '../../../src/app/service-account-tokens.ts';
import { layerServeConfig } from '../../../src/config/serve/index.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import { readSigningKey } from '../../../src/server/authentication/index.ts';
import { makeSigningKey, type SigningKey } from '../../../src/server/pki/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';

describe('openTokenTrust', () => {
  let directory: TemporaryDirectory;
  let [own, other]: SigningKey[] = [];
  before(async () => {
    directory = await makeTemporaryDirectory();
    [own, other] = await Promise.all([makeSigningKey(), makeSigningKey()]);
    const files = { own: own?.privateKeyPem, public: own?.publicKeyPem, other: other?.publicKeyPem };
    for (const [name, pem = ''] of Object.entries(files)) await writeFile(join(directory.path, name), pem);
  });
  after(() => directory.remove());

  /** The keys of a server whose own key is `own`, by name. */
  const keysOf = async (files: readonly string[], signing?: string): Promise<string[]> => {
    if (own === undefined || other === undefined) throw new Error('no keys');
    const pathOf = (name: string) => join(directory.path, name);
    const argv = [
      ...files.map((name) => `--service-account-key-file=${pathOf(name)}`),
      ...(signing === undefined ? [] : [`--service-account-signing-key-file=${pathOf(signing)}`]),
    ];
    const { config } = layerServeConfig({ argv, env: {} });
    const { keys } = await openTokenTrust(config, orchDialect, own);
    return keys.map(({ publicKey }) => {
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      return pem === own?.publicKeyPem ? 'own' : 'other';
    });
  };

  const cases: [files: string[], signing: string | undefined, keys: string[]][] = [
    [[], undefined, ['own']],
    [['public'], undefined, ['own']],
    [['public', 'own'], 'own', ['own']],
    [['other', 'public'], 'own', ['other', 'own']],
    [['other'], undefined, ['own', 'other']],
    [['other', 'other'], undefined, ['own', 'other']],
  ];
  for (const [files, signing, keys] of cases) {
    it(`has the keys ${keys} for the files ${files} and the signing key ${signing}`, async () => {
      expect(await keysOf(files, signing)).to.deep.equal(keys);
    });
  }

  for (const [flags, audiences] of [
    [[], ['https://orch.default.svc']],
    [['--service-account-issuer=https://i'], ['https://i']],
    [['--service-account-api-audiences=a,b'], ['a', 'b']],
    [['--service-account-api-audiences=a', '--api-audiences=c'], ['c']],
  ]) {
    it(`is for the audiences ${audiences} with ${flags?.join(' ') || 'no flags'}`, async () => {
      if (own === undefined) throw new Error('no keys');
      const trust = await openTokenTrust(
        layerServeConfig({ argv: flags ?? [], env: {} }).config,
        orchDialect,
        own,
      );
      expect(trust.audiences).to.deep.equal(audiences);
    });
  }
});

const makePem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  }) as string;

describe('continueTokenKey', () => {
  it('is the same for servers that share their signing key, and another for others', () => {
    const pem = makePem();
    const keyOf = (text: string) => continueTokenKey({ signingKey: readSigningKey(text, 'key') });
    expect(keyOf(pem)).to.deep.equal(keyOf(pem)).and.to.have.length(32);
    expect(keyOf(pem)).not.to.deep.equal(keyOf(makePem()));
  });
});
