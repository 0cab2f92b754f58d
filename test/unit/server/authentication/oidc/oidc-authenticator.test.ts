import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, type JWK, SignJWT } from 'jose';
import {
  type OidcOptions,
  oidcAuthenticator,
} from '../../../../../src/server/authentication/oidc/oidc-authenticator.ts';
import { ManualClock } from '../../../storage/manual-clock.ts';

const issuer = 'https://provider.example/tenant';
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const [first, second, curve] = [rsa(), rsa(), generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey];

/** A provider with keys that tests change, and an authenticator that believes it. */
class Bench {
  readonly clock = new ManualClock();
  readonly read: string[] = [];
  keys: JWK[] = [];
  named = issuer;
  failure: Error | undefined;
  readonly authenticator: ReturnType<typeof oidcAuthenticator>;

  constructor(options: Partial<OidcOptions> = {}) {
    this.authenticator = oidcAuthenticator({
      issuer,
      clientId: 'orch',
      read: async (url) => {
        this.read.push(url);
        if (this.failure !== undefined) throw this.failure;
        const configuration = { issuer: this.named, jwks_uri: `${issuer}/keys` };
        return url.endsWith('openid-configuration') ? configuration : { keys: [...this.keys] };
      },
      readToken: async () => '',
      clock: this.clock,
      audiences: ['api'],
      usernameClaim: 'sub',
      usernamePrefix: 'p:',
      groupsClaim: 'groups',
      groupsPrefix: 'g:',
      requiredClaims: {},
      signingAlgorithms: ['RS256'],
      ...options,
    });
  }

  async publish(...keys: readonly (readonly [KeyObject, string | undefined])[]): Promise<this> {
    this.keys = await Promise.all(
      keys.map(async ([key, kid]) => ({
        ...(await exportJWK(createPublicKey(key))),
        ...(kid === undefined ? {} : { kid }),
        use: 'sig',
      })),
    );
    return this;
  }

  /** What is said of a token: the name and groups of its user, or why there is none. */
  async ask(token: string, audiences: readonly string[] = ['api']): Promise<string> {
    const verdict = await this.authenticator.authenticateToken(token, audiences);
    if (verdict.kind === 'refused') return verdict.messages.join();
    return verdict.kind === 'user' ? [verdict.user.name, ...verdict.user.groups].join(' ') : verdict.kind;
  }
}

const good = { iss: issuer, aud: 'orch', sub: 'bob', exp: 1000 };
const sign = (claims: object, { key = first, alg = 'RS256', kid = '1' } = {}) =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg, ...(kid === '' ? {} : { kid }) }).sign(key);
const badSignature = 'oidc: verify token: failed to verify signature: failed to verify id token signature';

describe('oidcAuthenticator', () => {
  const claims: readonly (readonly [string, object, Partial<OidcOptions>, string])[] = [
    ['the subject', {}, {}, 'p:bob'],
    ['another claim', { login: 'robert' }, { usernameClaim: 'login' }, 'p:robert'],
    ['no prefix', {}, { usernamePrefix: '' }, 'bob'],
    ['a list of groups', { groups: ['a', 'b'] }, {}, 'p:bob g:a g:b'],
    ['one group', { groups: 'a' }, {}, 'p:bob g:a'],
    ['no groups without their claim', { groups: ['a'] }, { groupsClaim: undefined }, 'p:bob'],
    ['several audiences', { aud: ['x', 'orch'] }, {}, 'p:bob'],
    ['a required claim', { hd: 'acme' }, { requiredClaims: { hd: 'acme' } }, 'p:bob'],
    ['verified mail', { email: 'b@x', email_verified: true }, { usernameClaim: 'email' }, 'p:b@x'],
    ['mail that nothing is said of', { email: 'b@x' }, { usernameClaim: 'email' }, 'p:b@x'],
    ['a clock that is a minute behind', { nbf: 60 }, {}, 'p:bob'],
    [
      'mail that is not verified',
      { email: 'b@x', email_verified: false },
      { usernameClaim: 'email' },
      'oidc: email not verified',
    ],
    [
      'mail with odd words',
      { email: 'b@x', email_verified: 'true' },
      { usernameClaim: 'email' },
      "oidc: parse 'email_verified' claim: it is no truth",
    ],
    ['no name', {}, { usernameClaim: 'login' }, 'oidc: parse username claims "login": claim not present'],
    [
      'a name that every object has',
      {},
      { usernameClaim: 'constructor' },
      'oidc: parse username claims "constructor": claim not present',
    ],
    ['a name that is no text', { sub: 5 }, {}, 'oidc: parse username claims "sub": it is no text'],
    [
      'groups that are none',
      { groups: [5] },
      {},
      'oidc: parse groups claim "groups": it is neither a text nor a list of them',
    ],
    [
      'groups that are elsewhere, and nobody says where',
      { _claim_names: { groups: 's' } },
      {},
      'oidc: could not expand distributed claims: oidc: no claim sources',
    ],
    [
      'no required claim',
      {},
      { requiredClaims: { hd: 'acme' } },
      'oidc: required claim hd not present in ID token',
    ],
    [
      'another required claim',
      { hd: 'x' },
      { requiredClaims: { hd: 'acme' } },
      'oidc: required claim hd value does not match',
    ],
    [
      'a required claim that is no text',
      { hd: true },
      { requiredClaims: { hd: 'true' } },
      'oidc: parse claim hd: it is no text',
    ],
    ['another client', { aud: 'x' }, {}, 'oidc: verify token: oidc: expected audience "orch" got ["x"]'],
    ['no client', { aud: undefined }, {}, 'oidc: verify token: oidc: expected audience "orch" got [null]'],
    ['a time that has passed', { exp: -1 }, {}, 'oidc: verify token: oidc: token is expired'],
    ['no end', { exp: undefined }, {}, 'oidc: verify token: oidc: token is expired'],
    [
      'a time to come',
      { nbf: 61 },
      {},
      'oidc: verify token: oidc: current time before the nbf (not before) time',
    ],
    ['another issuer', { iss: `${issuer}/` }, {}, 'unknown'],
  ];
  for (const [what, changes, options, expected] of claims) {
    it(`understands ${what}`, async () => {
      const bench = await new Bench(options).publish([first, '1']);
      expect(await bench.ask(await sign({ ...good, ...changes }))).to.equal(expected);
    });
  }

  it('believes no signature of others, nor none, nor one of another algorithm', async () => {
    const bench = await new Bench().publish([first, '1'], [curve, '2']);
    const token = await sign(good);
    const [head = '', payload = ''] = token.split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const forged = [
      await sign(good, { key: second }),
      await sign(good, { key: curve, alg: 'ES256', kid: '2' }),
      await sign(good, { alg: 'RS384' }),
      `${encode({ alg: 'none' })}.${payload}.`,
      `${head}.${encode({ ...good, sub: 'root' })}.${token.split('.')[2]}`,
      `${head}.${payload}.`,
    ];
    for (const text of forged) {
      expect(await bench.ask(text), text.slice(0, 40)).to.equal(badSignature);
      bench.clock.advance(1);
    }
    const both = await new Bench({ signingAlgorithms: ['RS256', 'ES256'] }).publish(
      [first, '1'],
      [curve, '2'],
    );
    expect(await both.ask(await sign(good, { key: curve, alg: 'ES256', kid: '2' }))).to.equal('p:bob');
  });

  it('tries all keys for a token that names none', async () => {
    const bench = await new Bench().publish([first, '1'], [second, '2']);
    expect(await bench.ask(await sign(good, { key: second, kid: '' }))).to.equal('p:bob');
    expect(await bench.ask(await sign(good, { key: rsa(), kid: '' }))).to.equal(badSignature);
  });

  it('counts for the audiences of the API only', async () => {
    const bench = await new Bench().publish([first, '1']);
    expect(await bench.ask(await sign(good), ['vault'])).to.equal('unknown');
    expect(bench.read).to.deep.equal([]);
  });

  it('asks the provider when its first token comes, and not before nor for others', async () => {
    const bench = await new Bench().publish([first, '1']);
    for (const text of ['', 'a.b', 'a.b.c', 'e30.e30.e30', await sign({ ...good, iss: 'https://other' })]) {
      expect(await bench.ask(text)).to.equal('unknown');
    }
    expect(bench.read).to.deep.equal([]);
    await Promise.all([bench.ask(await sign(good)), bench.ask(await sign(good))]);
    expect(bench.read).to.deep.equal([`${issuer}/.well-known/openid-configuration`, `${issuer}/keys`]);
  });

  it('follows new keys, and asks for them no more than every ten seconds', async () => {
    const bench = await new Bench().publish([first, '1']);
    const [old, fresh] = [await sign(good), await sign(good, { key: second, kid: '2' })];
    expect(await bench.ask(old)).to.equal('p:bob');
    await bench.publish([second, '2']);
    expect(await bench.ask(fresh)).to.equal(badSignature);
    expect(bench.read).to.have.length(2);
    bench.clock.advance(10_000);
    expect(await bench.ask(fresh)).to.equal('p:bob');
    expect(bench.read).to.have.length(3);
    expect(await bench.ask(old)).to.equal(badSignature);
    expect(bench.read).to.have.length(3);
  });

  it('goes on with the keys that it knows when the provider fails', async () => {
    const bench = await new Bench().publish([first, '1']);
    const token = await sign(good);
    await bench.ask(token);
    bench.failure = new Error('gone');
    bench.clock.advance(60_000);
    expect(await bench.ask(await sign(good, { key: second, kid: '2' }))).to.equal(badSignature);
    expect(await bench.ask(token)).to.equal('p:bob');
  });

  it('says that it knows no keys yet, and tries again after ten seconds', async () => {
    const bench = await new Bench().publish([first, '1']);
    const token = await sign(good);
    bench.failure = new Error('no answer');
    for (let time = 0; time < 3; time++) {
      expect(await bench.ask(token)).to.equal('oidc: authenticator not initialized: no answer');
    }
    expect(bench.read).to.have.length(1);
    bench.failure = undefined;
    bench.clock.advance(10_000);
    expect(await bench.ask(token)).to.equal('p:bob');
  });

  it('takes no keys of a provider that calls itself otherwise', async () => {
    const bench = await new Bench().publish([first, '1']);
    bench.named = 'https://other';
    expect(await bench.ask(await sign(good))).to.contain(
      'issuer did not match the issuer returned by provider',
    );
  });
});
