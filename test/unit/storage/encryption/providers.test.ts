import { createDecipheriv } from 'node:crypto';
import { expect } from 'chai';
import {
  aescbcCipher,
  aesgcmCipher,
  type EncryptionProvider,
  ProviderChain,
  secretboxCipher,
} from '../../../../src/storage/encryption/index.ts';

const secret = (fill: number, bytes = 32): Buffer => Buffer.alloc(bytes, fill);
const makers = { aescbc: aescbcCipher, aesgcm: aesgcmCipher, secretbox: secretboxCipher } as const;
type Kind = keyof typeof makers;

/** `aescbc:key1` with a key of that name; `aescbc:key1=7` with other bytes. */
const chainOf = (...names: readonly string[]): ProviderChain =>
  new ProviderChain(
    names.map((text): EncryptionProvider => {
      if (text === 'identity') return { kind: 'identity' };
      const [kind = '', rest = ''] = text.split(':');
      const [name = '', fill = '1'] = rest.split('=');
      return { kind: kind as Kind, ciphers: [makers[kind as Kind]({ name, secret: secret(Number(fill)) })] };
    }),
  );
const plain = Buffer.from('{"kind":"Secret"}');
const path = '/registry/secrets/default/s';
const seal = async (chain: ProviderChain): Promise<Buffer> => {
  const sealed = await chain.seal(plain, path);
  if (sealed === undefined) throw new Error('it is not sealed');
  return sealed;
};
/** What comes out: the plain text, whether it is stale, or what went wrong. */
const open = async (chain: ProviderChain, sealed: Buffer, at = path): Promise<unknown> => {
  try {
    const opened = await chain.open(sealed, at);
    return [opened.plain.toString(), opened.isStale];
  } catch (error) {
    return (error as Error).message;
  }
};

describe('ProviderChain', () => {
  for (const kind of ['aescbc', 'aesgcm', 'secretbox']) {
    it(`begins what ${kind} seals as release 1.20 does, and opens it`, async () => {
      const chain = chainOf(`${kind}:key1`);
      const sealed = await seal(chain);
      expect(sealed.toString('latin1')).to.match(new RegExp(`^k8s:enc:${kind}:v1:key1:`));
      expect(sealed.includes('Secret')).to.equal(false);
      expect(await open(chain, sealed)).to.deep.equal([plain.toString(), false]);
      expect((await seal(chain)).equals(sealed)).to.equal(false);
    });

    it(`survives what is not sealed by ${kind}`, async () => {
      const chain = chainOf(`${kind}:key1`);
      const sealed = await seal(chain);
      for (let length = `k8s:enc:${kind}:v1:key1:`.length; length < sealed.length; length++) {
        const cut = await open(chain, sealed.subarray(0, length));
        expect(cut).not.to.deep.equal([plain.toString(), false]);
      }
      if (kind === 'aescbc') return; // it does not protect from changes
      for (let at = `k8s:enc:${kind}:v1:key1:`.length; at < sealed.length; at++) {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
        expect(await open(chain, changed)).to.be.a('string');
      }
    });
  }

  it('writes AES-CBC as initial vector and padded text', async () => {
    const sealed = (await seal(chainOf('aescbc:key1'))).subarray('k8s:enc:aescbc:v1:key1:'.length);
    const decipher = createDecipheriv('aes-256-cbc', secret(1), sealed.subarray(0, 16));
    expect(Buffer.concat([decipher.update(sealed.subarray(16)), decipher.final()]).equals(plain)).to.equal(
      true,
    );
  });

  it('ties AES-GCM to the key of the value', async () => {
    const chain = chainOf('aesgcm:key1');
    expect(await open(chain, await seal(chain), `${path}2`)).to.equal(
      'cipher: message authentication failed',
    );
  });

  const cases: readonly (readonly [sealedBy: string, readBy: string[], expected: unknown])[] = [
    ['aescbc:a', ['aescbc:b', 'aescbc:a'], [plain.toString(), true]],
    ['aescbc:a', ['identity', 'aescbc:a'], [plain.toString(), true]],
    ['aescbc:a=2', ['aescbc:a=1', 'aescbc:a=2'], [plain.toString(), true]],
    ['aesgcm:a', ['secretbox:a', 'aesgcm:a'], [plain.toString(), true]],
    ['aescbc:a', ['aescbc:b'], 'no matching key was found for the provided AES transformer: aescbc key "a"'],
    [
      'secretbox:a',
      ['secretbox:b'],
      'no matching key was found for the provided Secretbox transformer: secretbox key "a"',
    ],
    ['aesgcm:a', ['aescbc:a'], 'no matching prefix found: aesgcm key "a"'],
    ['aescbc:a', ['identity'], 'identity transformer tried to read encrypted data: aescbc key "a"'],
    ['aesgcm:a=2', ['aesgcm:a=1'], 'cipher: message authentication failed'],
  ];
  for (const [sealedBy, readBy, expected] of cases) {
    it(`reads what ${sealedBy} sealed by ${readBy.join(', ')}`, async () => {
      expect(await open(chainOf(...readBy), await seal(chainOf(sealedBy)))).to.deep.equal(expected);
    });
  }

  it('stores plain values where the first provider is identity, and reads them only where one is', () => {
    expect(chainOf('identity', 'aescbc:a').seal(plain, path)).to.equal(undefined);
    expect(chainOf('identity').plainProblem).to.equal(undefined);
    expect(chainOf('aescbc:a').plainProblem).to.match(/^no matching prefix found/);
  });
});
