import { expect } from 'chai';
import { SignJWT } from 'jose';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { decodeLegacyClaims, signLegacyToken } from '../../../../src/server/authentication/legacy-tokens.ts';
import type { ServiceAccountOptions } from '../../../../src/server/authentication/service-account.ts';
import { readSigningKey } from '../../../../src/server/authentication/service-account-keys.ts';
import type { TokenVerdict } from '../../../../src/server/authentication/token-authenticator.ts';
import { audiences, ecPem, rsaPem, TokenBench } from './service-account-bench.ts';

const signingKey = readSigningKey(rsaPem.privateKey, 'key');
const account = { name: 'sa', uid: 'sa-uid' };
const sign = () =>
  signLegacyToken({ namespace: 'n', account, secret: 'kept' }, { dialect: orchDialect, signingKey });
const reasonOf = (verdict: TokenVerdict) =>
  verdict.kind === 'refused' ? verdict.messages.join() : verdict.kind;

describe('tokens that secrets keep', () => {
  let bench: TokenBench;
  let token: string;
  beforeEach(async () => {
    bench = new TokenBench();
    token = await sign();
    bench.kept.set('n/kept', token);
  });
  const ask = (options: Partial<ServiceAccountOptions> = {}, wanted = audiences) =>
    bench.makeVerifier(options).authenticateToken(token, wanted);

  it('are for their account and the API, for ever', async () => {
    bench.advance(100 * 365 * 24 * 3_600_000);
    expect(await ask({}, ['other', ...audiences])).to.deep.equal({
      kind: 'user',
      user: {
        name: 'system:serviceaccount:n:sa',
        uid: 'sa-uid',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n'],
        extra: {},
      },
      audiences,
    });
    expect(bench.uses).to.deep.equal(['kept']);
  });

  const changes: readonly (readonly [string, (bench: TokenBench) => void, string])[] = [
    ['their secret is gone', ({ kept }) => kept.clear(), 'Token has been invalidated'],
    [
      'their secret keeps another',
      ({ kept }) => kept.set('n/kept', 'x'),
      "Token does not match server's copy",
    ],
    ['their account is gone', ({ objects }) => objects.clear(), 'serviceaccounts "sa" not found'],
    [
      'their account is another one',
      ({ objects }) => objects.set('serviceaccounts/n/sa', { uid: 'new', deletedAtMs: undefined }),
      'ServiceAccount UID (new) does not match claim (sa-uid)',
    ],
    [
      'their account is being deleted',
      ({ objects, nowMs }) => objects.set('serviceaccounts/n/sa', { uid: 'sa-uid', deletedAtMs: nowMs }),
      'ServiceAccount n/sa has been deleted',
    ],
  ];
  for (const [when, change, expected] of changes) {
    it(`end when ${when}, unless nothing is looked up`, async () => {
      const verifier = bench.makeVerifier();
      expect(reasonOf(await verifier.authenticateToken(token, audiences))).to.equal('user');
      change(bench);
      expect(reasonOf(await verifier.authenticateToken(token, audiences))).to.equal(expected);
      expect(reasonOf(await ask({ looksUpKept: false }))).to.equal('user');
    });
  }

  it('are for no other audience', async () => {
    expect(reasonOf(await ask({}, ['vault']))).to.contain('is invalid for the target audiences ["vault"]');
  });

  it('count with a signature of a key that verifies only', async () => {
    expect(reasonOf(await ask({ keys: [] }))).to.equal('square/go-jose: error in cryptographic primitive');
    const other = await new SignJWT({ iss: 'orch/serviceaccount', sub: 'x' })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(readSigningKey(ecPem.privateKey, 'key').privateKey);
    expect(reasonOf(await bench.makeVerifier().authenticateToken(other, audiences))).to.equal(
      'namespace claim is missing',
    );
  });
});

describe('decodeLegacyClaims', () => {
  const good = {
    sub: 'system:serviceaccount:n:sa',
    'orch.io/serviceaccount/namespace': 'n',
    'orch.io/serviceaccount/secret.name': 's',
    'orch.io/serviceaccount/service-account.name': 'sa',
    'orch.io/serviceaccount/service-account.uid': 'u',
  };
  const cases: readonly (readonly [string, unknown, string])[] = [
    ['sub', undefined, 'sub claim is missing'],
    ['sub', 'system:serviceaccount:n:other', 'sub claim is invalid'],
    ['orch.io/serviceaccount/namespace', '', 'namespace claim is missing'],
    ['orch.io/serviceaccount/namespace', 'm', 'sub claim is invalid'],
    ['orch.io/serviceaccount/secret.name', undefined, 'secretName claim is missing'],
    ['orch.io/serviceaccount/service-account.name', 5, 'serviceAccountName claim is missing'],
    ['orch.io/serviceaccount/service-account.uid', null, 'serviceAccountUID claim is missing'],
  ];
  for (const [claim, value, expected] of cases) {
    it(`says "${expected}" of ${claim} = ${JSON.stringify(value)}`, () => {
      expect(decodeLegacyClaims({ ...good, [claim]: value }, orchDialect)).to.equal(expected);
    });
  }
});
