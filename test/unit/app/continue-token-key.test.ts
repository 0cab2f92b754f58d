import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { continueTokenKey } from '../../../src/app/continue-token-key.ts';
import { readSigningKey } from '../../../src/server/authentication/index.ts';

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
