import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { createDialect } from '../../../../src/machinery/dialect.ts';
import { userOf } from '../../../../src/server/authentication/service-account-claims.ts';
import { readSigningKey, readTokenKeys } from '../../../../src/server/authentication/service-account-keys.ts';
import type { TokenVerdict } from '../../../../src/server/authentication/token-authenticator.ts';
import { audiences, ecPem, issuer, order, rsaPem, TokenBench } from './service-account-bench.ts';

const pod = { name: 'p', uid: 'pod-uid' };
const secret = { name: 's', uid: 'secret-uid' };

describe('TokenIssuer', () => {
  it('writes the claims of the reference in its order', async () => {
    const bench = new TokenBench();
    const { token, expiresAtMs } = await bench.makeIssuer().issue({ ...order, pod });
    const now = bench.nowMs / 1000;
    expect(JSON.stringify(decodeJwt(token))).to.equal(
      JSON.stringify({
        aud: audiences,
        exp: now + 3600,
        iat: now,
        iss: issuer,
        'orch.io': { namespace: 'n', pod, serviceaccount: { name: 'sa', uid: 'sa-uid' } },
        nbf: now,
        sub: 'system:serviceaccount:n:sa',
      }),
    );
    expect(expiresAtMs).to.equal(bench.nowMs + 3_600_000);
    const [key] = readTokenKeys([rsaPem.publicKey], 'key');
    expect(decodeProtectedHeader(token)).to.deep.equal({ alg: 'RS256', kid: key?.keyId });
  });

  it('grants no more than the longest lifetime', async () => {
    const bench = new TokenBench();
    const issued = await bench.makeIssuer({ maxExpirationSeconds: 1200 }).issue(order);
    expect(issued.expirationSeconds).to.equal(1200);
    expect(decodeJwt(issued.token).exp).to.equal(bench.nowMs / 1000 + 1200);
  });

  it('lets the token of a pod live longer than asked for, when that is wished', async () => {
    const bench = new TokenBench();
    const tokens = bench.makeIssuer({ extendsExpiration: true });
    const asked = { ...order, expirationSeconds: 3607 };
    const { token, expirationSeconds } = await tokens.issue({ ...asked, pod });
    expect(expirationSeconds).to.equal(3607);
    expect(decodeJwt(token).exp).to.equal(bench.nowMs / 1000 + 365 * 24 * 3600);
    expect(decodeJwt(token)['orch.io']).to.have.property('warnafter', bench.nowMs / 1000 + 3607);
    for (const other of [asked, { ...asked, pod, audiences: ['vault'] }, { ...order, pod }]) {
      const plain = await tokens.issue(other);
      expect(decodeJwt(plain.token).exp).to.equal(bench.nowMs / 1000 + other.expirationSeconds);
    }
  });
});

describe('ServiceAccountVerifier', () => {
  let bench: TokenBench;
  beforeEach(() => {
    bench = new TokenBench();
  });

  it('finds the user of a token', async () => {
    const { token } = await bench.makeIssuer().issue(order);
    expect(await bench.makeVerifier().authenticateToken(token, audiences)).to.deep.equal({
      kind: 'user',
      user: {
        name: 'system:serviceaccount:n:sa',
        uid: 'sa-uid',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n'],
        extra: {},
      },
      audiences,
    });
  });

  it('names the pod that a token is bound to', async () => {
    bench.objects.set('pods/n/p', { uid: 'pod-uid', deletedAtMs: undefined });
    const { token } = await bench.makeIssuer().issue({ ...order, pod });
    const verdict = await bench.makeVerifier().authenticateToken(token, audiences);
    expect(verdict.kind === 'user' && verdict.user.extra).to.deep.equal({
      'authentication.orch.io/pod-name': ['p'],
      'authentication.orch.io/pod-uid': ['pod-uid'],
    });
  });

  it('names the pod in the domain of labels, not of groups', () => {
    const claims = { namespace: 'n', serviceAccount: { name: 'sa', uid: 'sa-uid' }, pod };
    const { extra } = userOf(claims, createDialect('kubernetes'));
    expect(extra).to.deep.equal({
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['pod-uid'],
    });
  });

  it('verifies with any of its keys, RSA and ECDSA', async () => {
    const signingKey = readSigningKey(ecPem.privateKey, 'key');
    const { token } = await bench.makeIssuer({ signingKey }).issue(order);
    expect(decodeProtectedHeader(token).alg).to.equal('ES256');
    expect((await bench.makeVerifier().authenticateToken(token, audiences)).kind).to.equal('user');
  });

  it('shares those audiences of the token that are asked for', async () => {
    const { token } = await bench.makeIssuer().issue({ ...order, audiences: ['a', 'b'] });
    const verdict = await bench.makeVerifier().authenticateToken(token, ['b', 'c']);
    expect(verdict).to.deep.include({ kind: 'user', audiences: ['b'] });
  });

  it('refuses a token for somebody else', async () => {
    const { token } = await bench.makeIssuer().issue({ ...order, audiences: ['vault'] });
    expect(await bench.makeVerifier().authenticateToken(token, audiences)).to.deep.equal({
      kind: 'refused',
      messages: [`token audiences ["vault"] is invalid for the target audiences ["${issuer}"]`],
    });
  });

  const texts = [
    '',
    'nonsense',
    'a.b.c',
    'a.b',
    '....',
    'e30.e30.',
    'eyJhbGciOiJub25lIn0.bnVsbA.',
    'x'.repeat(50_000),
  ];
  for (const text of texts) {
    it(`leaves ${JSON.stringify(text.slice(0, 30))} to others`, async () => {
      expect(await bench.makeVerifier().authenticateToken(text, audiences)).to.deep.equal({
        kind: 'unknown',
      });
    });
  }

  it('leaves the tokens of other issuers to others', async () => {
    const { token } = await bench.makeIssuer({ issuer: 'https://elsewhere' }).issue(order);
    expect(await bench.makeVerifier().authenticateToken(token, audiences)).to.deep.equal({ kind: 'unknown' });
  });

  it('refuses changed claims, unsigned tokens and signatures of other keys', async () => {
    const { token } = await bench.makeIssuer().issue(order);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const forged = encode({
      ...claims,
      'orch.io': { namespace: 'n', serviceaccount: { name: 'root', uid: 'u' } },
    });
    const verifier = bench.makeVerifier();
    const bad = [
      `${header}.${forged}.${signature}`,
      `${header}.${payload}.`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'HS256' })}.${payload}.${signature}`,
      `${encode({ alg: 'ES256' })}.${payload}.${signature}`,
    ];
    for (const text of bad)
      expect((await verifier.authenticateToken(text, audiences)).kind, text.slice(0, 40)).to.equal('refused');
    const others = bench.makeVerifier({ keys: readTokenKeys([ecPem.publicKey], 'key') });
    expect((await others.authenticateToken(token, audiences)).kind).to.equal('refused');
  });

  it('refuses a token of this issuer without the claims of a service account', async () => {
    const sign = (pem: string) =>
      new SignJWT({ iss: issuer })
        .setProtectedHeader({ alg: 'ES256' })
        .sign(readSigningKey(pem, 'key').privateKey);
    const reasonOf = async (token: string) => {
      const verdict = await bench.makeVerifier().authenticateToken(token, audiences);
      return verdict.kind === 'refused' ? verdict.messages : verdict.kind;
    };
    expect(await reasonOf(await sign(ecPem.privateKey))).to.deep.equal(['Token could not be validated.']);
    const payload = Buffer.from(JSON.stringify({ iss: issuer })).toString('base64url');
    expect(await reasonOf(`e30.${payload}.abcd`)).to.deep.equal([
      'square/go-jose: error in cryptographic primitive',
    ]);
  });

  it('tells of tokens whose life was extended, and notes those that are stale', async () => {
    bench.objects.set('pods/n/p', { uid: 'pod-uid', deletedAtMs: undefined });
    const asked = { ...order, pod, expirationSeconds: 3607 };
    const { token } = await bench.makeIssuer({ extendsExpiration: true }).issue(asked);
    const verifier = bench.makeVerifier();
    const annotationsOf = async () => {
      const verdict = await verifier.authenticateToken(token, audiences);
      return verdict.kind === 'user' ? verdict.annotations : verdict;
    };
    bench.advance(3_607_000);
    expect(await annotationsOf()).to.equal(undefined);
    bench.advance(10_000);
    expect(await annotationsOf()).to.deep.equal({
      'authentication.orch.io/stale-token':
        'subject: system:serviceaccount:n:sa, seconds after warning threshold: 10',
    });
    expect(bench.uses).to.deep.equal(['extended', 'stale']);
  });

  describe('after it has accepted a token', () => {
    const message = (verdict: TokenVerdict) =>
      verdict.kind === 'refused' ? verdict.messages[0] : verdict.kind;
    const verdicts: readonly (readonly [string, (bench: TokenBench) => void, string])[] = [
      ['its time is over', (b) => b.advance(3_661_000), 'Token has expired.'],
      ['its time ended within a minute', (b) => b.advance(3_660_000), 'user'],
      ['the clock goes far back', (b) => b.advance(-61_000), 'Token could not be validated.'],
      ['the account goes', (b) => b.objects.delete('serviceaccounts/n/sa'), 'serviceaccounts "sa" not found'],
      [
        'the account comes anew',
        (b) => b.objects.set('serviceaccounts/n/sa', { uid: 'new', deletedAtMs: undefined }),
        'ServiceAccount UID (new) does not match claim (sa-uid)',
      ],
      [
        'the account was deleted a while ago',
        (b) => b.objects.set('serviceaccounts/n/sa', { uid: 'sa-uid', deletedAtMs: b.nowMs - 61_000 }),
        'ServiceAccount n/sa has been deleted',
      ],
      [
        'the account was deleted just now',
        (b) => b.objects.set('serviceaccounts/n/sa', { uid: 'sa-uid', deletedAtMs: b.nowMs - 59_000 }),
        'user',
      ],
      ['the pod goes', (b) => b.objects.delete('pods/n/p'), 'Token has been invalidated'],
      [
        'the pod comes anew',
        (b) => b.objects.set('pods/n/p', { uid: 'new', deletedAtMs: undefined }),
        'Pod UID (new) does not match claim (pod-uid)',
      ],
      ['the secret goes', (b) => b.objects.delete('secrets/n/s'), 'Token has been invalidated'],
      [
        'the secret comes anew',
        (b) => b.objects.set('secrets/n/s', { uid: 'new', deletedAtMs: undefined }),
        'Secret UID (new) does not match claim (secret-uid)',
      ],
    ];
    for (const [title, change, expected] of verdicts) {
      it(`says ${JSON.stringify(expected)} when ${title}`, async () => {
        bench.objects.set('pods/n/p', { uid: 'pod-uid', deletedAtMs: undefined });
        bench.objects.set('secrets/n/s', { uid: 'secret-uid', deletedAtMs: undefined });
        const { token } = await bench.makeIssuer().issue({ ...order, pod, secret });
        const verifier = bench.makeVerifier();
        expect((await verifier.authenticateToken(token, audiences)).kind).to.equal('user');
        change(bench);
        expect(message(await verifier.authenticateToken(token, audiences))).to.equal(expected);
      });
    }

    it('follows the list of keys, also for tokens that it has accepted', async () => {
      const keys = readTokenKeys([rsaPem.publicKey], 'keys');
      const verifier = bench.makeVerifier({ keys });
      const { token } = await bench.makeIssuer().issue(order);
      const kind = async () => (await verifier.authenticateToken(token, audiences)).kind;
      expect(await kind()).to.equal('user');
      const [key] = keys.splice(0, 1, ...readTokenKeys([ecPem.publicKey], 'keys'));
      expect(await kind()).to.equal('refused');
      if (key !== undefined) keys.push(key);
      expect(await kind()).to.equal('user');
    });

    it('goes on accepting tokens when more are in use than it remembers', async () => {
      const verifier = bench.makeVerifier({ maxRemembered: 2 });
      const issuing = bench.makeIssuer();
      const tokens: string[] = [];
      for (let i = 0; i < 4; i++) {
        tokens.push((await issuing.issue({ ...order, expirationSeconds: 600 + i })).token);
      }
      for (const token of [...tokens, ...tokens])
        expect((await verifier.authenticateToken(token, audiences)).kind).to.equal('user');
    });
  });
});

describe('readTokenKeys', () => {
  it('reads every key of a text once, public or private', () => {
    const keys = readTokenKeys([`${rsaPem.publicKey}\n${ecPem.publicKey}`, rsaPem.privateKey], 'keys');
    expect(keys.map(({ algorithm }) => algorithm)).to.deep.equal(['RS256', 'ES256']);
  });

  for (const text of ['', 'no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----']) {
    it(`refuses ${JSON.stringify(text.slice(0, 20))}, naming the source`, () => {
      expect(() => readTokenKeys([text], 'sa.pub')).to.throw(RangeError, 'read sa.pub: ');
    });
  }
});
