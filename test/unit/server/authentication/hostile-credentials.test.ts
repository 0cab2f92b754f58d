import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, SignJWT } from 'jose';
import { type Logger, silentLogger } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { bearerToken, type PeerCertificate } from '../../../../src/net/http/index.ts';
import { chainAuthenticators } from '../../../../src/server/authentication/authenticator.ts';
import { AuthorityPool } from '../../../../src/server/authentication/authority-pool.ts';
import { bearerTokenAuthenticator } from '../../../../src/server/authentication/bearer-token.ts';
import { bootstrapTokenAuthenticator } from '../../../../src/server/authentication/bootstrap-token.ts';
import { clientCertificateAuthenticator } from '../../../../src/server/authentication/client-certificate.ts';
import { signLegacyToken } from '../../../../src/server/authentication/legacy-tokens.ts';
import { oidcAuthenticator } from '../../../../src/server/authentication/oidc/oidc-authenticator.ts';
import { requestHeaderAuthenticator } from '../../../../src/server/authentication/request-header.ts';
import { readSigningKey } from '../../../../src/server/authentication/service-account-keys.ts';
import {
  chainTokenAuthenticators,
  forOwnAudiences,
} from '../../../../src/server/authentication/token-authenticator.ts';
import { tokenFileAuthenticator } from '../../../../src/server/authentication/token-file.ts';
import { issueCertificate, makeAuthority } from '../../../../src/server/pki/index.ts';
import { makeExchange } from '../../../support/exchange.ts';
import { createRandomSource, type RandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { audiences, order, rsaPem, TokenBench } from './service-account-bench.ts';

/** Mutations of each kind; the whole is 100,000. */
const rounds = Number(process.env.ORCH_TEST_HOSTILE_CREDENTIALS ?? 1500);

const issuer = 'https://provider.example';
const strange = [
  '.',
  '..',
  '=',
  '%',
  ' ',
  '\t',
  ',',
  '\0',
  'é',
  '\u{1f600}',
  'e30',
  '{}',
  'null',
  '-',
  '_',
  'A'.repeat(300),
];

/** The text with something changed: perhaps to one with the same meaning, never to the same text. */
function mutate(text: string, random: RandomSource): string {
  const at = random.below(text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  const byte = String.fromCharCode(33 + random.below(94));
  const changed = random.pick([
    () => before + byte + after.slice(1),
    () => before + byte + after,
    () => before + after.slice(1 + random.below(8)),
    () => before + random.pick(strange) + after,
    () => after + before,
    () => before + before.slice(-9) + after,
    () => (random.below(2) === 0 ? text.toUpperCase() : text.toLowerCase()),
    () => text.split('.').reverse().join('.'),
    () => forgePart(text, random),
    () => text.slice(0, at),
  ])();
  return changed === text ? `${text}x` : changed;
}

/** Another claim or header in one of the parts of a signed token. */
function forgePart(text: string, random: RandomSource): string {
  const parts = text.split('.');
  const at = random.below(Math.min(parts.length, 2));
  let value: Record<string, unknown> = {};
  try {
    value = JSON.parse(Buffer.from(parts[at] ?? '', 'base64url').toString());
  } catch {
    // no signed token: then it becomes one
  }
  const key = random.pick([
    'alg',
    'kid',
    'iss',
    'sub',
    'aud',
    'exp',
    'nbf',
    'jku',
    'crit',
    'b64',
    'orch.io',
    '__proto__',
  ]);
  const forged = random.pick<unknown>([
    'none',
    'HS256',
    'root',
    null,
    0,
    -1,
    1e308,
    [],
    {},
    [[]],
    true,
    issuer,
    audiences,
  ]);
  const entries = [...Object.entries(value), [key, forged] as const];
  parts[at] = Buffer.from(JSON.stringify(Object.fromEntries(entries))).toString('base64url');
  return parts.join('.');
}

/** Credentials of each kind, and all authenticators together. */
async function openBench() {
  const bench = new TokenBench();
  const clock = new ManualClock();
  const provider = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const key = { ...(await exportJWK(createPublicKey(provider))), kid: '1' };
  const encode = (text: string) => Buffer.from(text).toString('base64');
  const data = {
    'token-id': encode('abc123'),
    'token-secret': encode('0123456789abcdef'),
    'usage-bootstrap-authentication': encode('true'),
  };
  const secret = { kind: 'Secret', apiVersion: 'v1', metadata: {}, type: 'bootstrap.orch.io/token', data };
  const logged: string[] = [];
  const logger: Logger = { ...silentLogger, debug: (...line) => void logged.push(JSON.stringify(line)) };
  const signingKey = readSigningKey(rsaPem.privateKey, 'key');
  const kept = await signLegacyToken(
    { namespace: 'n', account: { name: 'sa', uid: 'sa-uid' }, secret: 'kept' },
    { dialect: orchDialect, signingKey },
  );
  bench.kept.set('n/kept', kept);
  const tokenFile = tokenFileAuthenticator('file-token,alice\nother-token,bob');
  const tokens = chainTokenAuthenticators([
    forOwnAudiences(tokenFile, audiences),
    bench.makeVerifier(),
    forOwnAudiences(
      bootstrapTokenAuthenticator({
        dialect: orchDialect,
        findSecret: (name) => (name === 'bootstrap-token-abc123' ? secret : undefined),
        nowMs: () => bench.nowMs,
        logger,
      }),
      audiences,
    ),
    oidcAuthenticator({
      issuer,
      clientId: 'orch',
      readToken: async () => '',
      read: async (url) => (url.endsWith('/keys') ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` }),
      clock,
      audiences,
      usernameClaim: 'sub',
      usernamePrefix: '',
      groupsClaim: 'groups',
      groupsPrefix: '',
      requiredClaims: {},
      signingAlgorithms: ['RS256'],
    }),
  ]);
  const idToken = await new SignJWT({ iss: issuer, aud: 'orch', sub: 'bob', exp: 1e9 })
    .setProtectedHeader({ alg: 'RS256', kid: '1' })
    .sign(provider);
  const { token: bound } = await bench.makeIssuer().issue(order);
  const good = ['file-token', bound, kept, 'abc123.0123456789abcdef', idToken];
  return { tokens, good, logged, logger };
}

describe('hostile credentials', () => {
  it('are refused as tokens, and are in no log', async () => {
    const random = createRandomSource(testSeed);
    const { tokens, good, logged } = await openBench();
    for (const token of good) {
      expect((await tokens.authenticateToken(token, audiences)).kind, token.slice(0, 20)).to.equal('user');
    }
    for (let round = 0; round < rounds; round++) {
      let token = mutate(random.pick(good), random);
      if (random.below(4) === 0) token = mutate(token, random);
      const { kind } = await tokens.authenticateToken(token, audiences);
      expect(kind === 'user' && !good.includes(token), token).to.equal(false);
    }
    for (const token of good) expect(logged.join('\n')).not.to.contain(token);
  });

  it('are refused as headers', async () => {
    const random = createRandomSource(testSeed);
    const { tokens, good, logger } = await openBench();
    const prefix = 'base64url.bearer.authorization.orch.io.';
    const chain = chainAuthenticators(
      [bearerTokenAuthenticator({ tokens, audiences, dialect: orchDialect, logger })],
      { allowsAnonymous: false },
    );
    for (let round = 0; round < rounds; round++) {
      const token = random.pick(good);
      const authorization = mutate(`Bearer ${token}`, random);
      const protocols = mutate(`a, ${prefix}${Buffer.from(token).toString('base64url')}`, random);
      const byProtocol = { upgrade: 'websocket', 'sec-websocket-protocol': protocols };
      const found = await chain.authenticate(makeExchange({ headers: { authorization } }).request);
      // What is left may be the very token.
      const left = bearerToken({ headers: { authorization } }) ?? '';
      expect(found !== undefined && !good.includes(left), authorization).to.equal(false);
      const user = await chain.authenticate(makeExchange({ headers: byProtocol }).request);
      const texts = protocols.split(',').map((protocol) => protocol.trim().slice(prefix.length));
      const isLeft = texts.some((text) => good.includes(Buffer.from(text, 'base64url').toString()));
      expect(user !== undefined && !isLeft, protocols).to.equal(false);
    }
  });

  it('are refused as certificates, and make no proxy', async () => {
    const random = createRandomSource(testSeed);
    const nowMs = Date.UTC(2026, 0, 1);
    const lasting = { nowMs, lifetimeMs: 3_600_000 };
    const [users, proxies] = await Promise.all([
      makeAuthority({ commonName: 'users', ...lasting }),
      makeAuthority({ commonName: 'proxies', ...lasting }),
    ]);
    const request = { subject: { commonName: 'carol' }, usage: 'client', ...lasting } as const;
    const pair = await issueCertificate({ authority: users, ...request });
    const der = new X509Certificate(pair.certificatePem).raw;
    const pool = new AuthorityPool([users.certificatePem]);
    const shown = (bytes: Buffer): PeerCertificate => ({
      ...{ commonName: 'carol', organizations: [], isSigned: true },
      ...{ validFromMs: nowMs - 1, validToMs: nowMs + 1000, der: bytes },
    });
    expect(pool.trusts(shown(der), nowMs)).to.equal(true);
    // The part that is signed: a sequence in a sequence, whose lengths take two bytes (X.690, section 8.1.3).
    const signedEnd = 8 + der.readUInt16BE(6);
    for (let round = 0; round < rounds; round++) {
      const bytes = Buffer.from(der);
      for (let times = 0; times <= random.below(3); times++)
        bytes[random.below(bytes.length)] = random.below(256);
      const isChanged = !bytes.subarray(4, signedEnd).equals(der.subarray(4, signedEnd));
      expect(pool.trusts(shown(bytes), nowMs) && isChanged, bytes.toString('hex')).to.equal(false);
    }
    const stranger = {
      authorized: true,
      getPeerCertificate: () => ({
        ...{ subject: { CN: 'front' }, raw: der },
        ...{
          valid_from: new Date(nowMs - 1000).toUTCString(),
          valid_to: new Date(nowMs + 9000).toUTCString(),
        },
      }),
    };
    const chain = chainAuthenticators(
      [
        requestHeaderAuthenticator({
          ...{ authorities: new AuthorityPool([proxies.certificatePem]), allowedNames: [] },
          ...{
            usernameHeaders: ['X-Remote-User'],
            groupHeaders: ['X-Remote-Group'],
            extraHeaderPrefixes: ['X-Extra-'],
          },
          nowMs: () => nowMs,
        }),
        clientCertificateAuthenticator({ authorities: pool, nowMs: () => nowMs }),
      ],
      { allowsAnonymous: true },
    );
    for (let round = 0; round < rounds; round++) {
      const rawHeaders = [
        'X-Remote-User',
        'root',
        'X-Remote-Group',
        'system:masters',
        'X-Extra-A%2f',
        'b',
      ].map((text) => (random.below(3) === 0 ? mutate(text, random) : text));
      const found = await chain.authenticate(makeExchange({ rawHeaders, socket: stranger }).request);
      expect(found).to.deep.equal({ name: 'front', uid: '', groups: ['system:authenticated'], extra: {} });
    }
  });
});
