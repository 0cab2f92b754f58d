import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, SignJWT } from 'jose';
import { oidcAuthenticator } from '../../../../../src/server/authentication/oidc/oidc-authenticator.ts';
import { ManualClock } from '../../../storage/manual-clock.ts';

const issuer = 'https://provider.example';
const other = 'https://groups.example';
const endpoint = `${other}/groups?of=bob`;
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const keys: Readonly<Record<string, KeyObject>> = { [issuer]: rsa(), [other]: rsa() };

const sign = (iss: string, claims: object, signer = iss) =>
  new SignJWT({ iss, aud: 'orch', exp: 1000, ...claims })
    .setProtectedHeader({ alg: 'RS256' })
    .sign(keys[signer] ?? rsa());

describe('groups that an ID token leaves to another place', () => {
  /** What is asked there, and whom that makes of a token with these claims. */
  async function ask(
    claims: object,
    answer: string | Error = '',
    groupsClaim: string | undefined = 'groups',
  ): Promise<{ readonly asked: readonly string[]; readonly verdict: string }> {
    const asked: string[] = [];
    const authenticator = oidcAuthenticator({
      issuer,
      clientId: 'orch',
      async read(url) {
        const { origin } = new URL(url);
        const key = keys[origin];
        if (key === undefined) throw new Error(`${origin} is away`);
        if (url.endsWith('/keys')) return { keys: [await exportJWK(createPublicKey(key))] };
        return { issuer: origin, jwks_uri: `${origin}/keys` };
      },
      async readToken(url, accessToken) {
        asked.push(`${url} ${accessToken}`);
        if (typeof answer !== 'string') throw answer;
        return answer;
      },
      clock: new ManualClock(),
      audiences: ['api'],
      usernameClaim: 'sub',
      usernamePrefix: '',
      groupsClaim,
      groupsPrefix: '',
      requiredClaims: {},
      signingAlgorithms: ['RS256'],
    });
    const verdict = await authenticator.authenticateToken(await sign(issuer, { sub: 'bob', ...claims }), [
      'api',
    ]);
    if (verdict.kind === 'refused') return { asked, verdict: verdict.messages.join() };
    return {
      asked,
      verdict: verdict.kind === 'user' ? ['bob', ...verdict.user.groups].join(' ') : verdict.kind,
    };
  }
  const elsewhere = (source: object = { endpoint, access_token: 'secret' }) => ({
    _claim_names: { groups: 'src' },
    _claim_sources: { src: source },
  });

  it('are asked for there, with the token that it names', async () => {
    expect(await ask(elsewhere(), await sign(other, { groups: ['a', 'b'] }))).to.deep.equal({
      asked: [`${endpoint} secret`],
      verdict: 'bob a b',
    });
    expect((await ask(elsewhere({ endpoint }), await sign(issuer, { groups: 'a' }))).verdict).to.equal(
      'bob a',
    );
  });

  const unasked: readonly (readonly [what: string, claims: object, groupsClaim?: string])[] = [
    ['the token has groups itself', { ...elsewhere(), groups: [] }],
    ['other claims are elsewhere', { _claim_names: { hair: 'src' }, _claim_sources: { src: { endpoint } } }],
    ['they come along in a token of their own', elsewhere({ JWT: 'x' })],
    ['names are no members of the token', { _claim_names: {}, _claim_sources: {} }],
  ];
  for (const [what, claims] of unasked) {
    it(`are none where ${what}`, async () => {
      expect(await ask(claims)).to.deep.equal({ asked: [], verdict: 'bob' });
    });
  }

  it('are not asked for where no claim makes groups', async () => {
    expect(await ask(elsewhere(), '', '')).to.deep.equal({ asked: [], verdict: 'bob' });
  });

  const failures: readonly (readonly [string, object, () => Promise<string> | Error, string | RegExp])[] = [
    [
      'the names are no map',
      { _claim_names: ['groups'] },
      () => new Error(),
      /error parsing distributed claim names/,
    ],
    [
      'a name is no text',
      { _claim_names: { groups: 1 } },
      () => new Error(),
      /error parsing distributed claim names/,
    ],
    ['there are no sources', { _claim_names: { groups: 's' } }, () => new Error(), 'oidc: no claim sources'],
    [
      'the sources are no map',
      { _claim_names: { groups: 's' }, _claim_sources: 's' },
      () => new Error(),
      /could not parse claim sources/,
    ],
    [
      'the source is not there',
      { _claim_names: { groups: 'toString' }, _claim_sources: {} },
      () => new Error(),
      'id token _claim_names contained a source toString missing in _claims_sources',
    ],
    [
      'nobody answers',
      elsewhere(),
      () => new Error('away'),
      'while getting distributed claim "groups": away',
    ],
    ['the answer is no token', elsewhere(), async () => '<html>', /^getting untrusted issuer from endpoint/],
    [
      'its issuer is unknown',
      elsewhere(),
      () => sign('https://nobody.example', { groups: 'a' }),
      /^verify distributed claim token: .*is away$/,
    ],
    [
      'another one signed it',
      elsewhere(),
      () => sign(other, { groups: 'a' }, issuer),
      /^verify distributed claim token: .*failed to verify signature/,
    ],
    [
      'it is for somebody else',
      elsewhere(),
      () => sign(other, { groups: 'a', aud: 'x' }),
      /^verify distributed claim token: .*expected audience/,
    ],
    [
      'it has expired',
      elsewhere(),
      () => sign(other, { groups: 'a', exp: -1 }),
      /^verify distributed claim token: .*token is expired$/,
    ],
    ['it says nothing of groups', elsewhere(), () => sign(other, {}), /did not contain claim: groups$/],
  ];
  for (const [what, claims, answer, message] of failures) {
    it(`let nobody in where ${what}`, async () => {
      const { verdict } = await ask(claims, await answer());
      const prefix = 'oidc: could not expand distributed claims: ';
      expect(verdict.slice(0, prefix.length)).to.equal(prefix);
      const problem = verdict.slice(prefix.length);
      if (typeof message === 'string') expect(problem).to.equal(message);
      else expect(problem).to.match(message);
      expect(verdict).not.to.contain('secret');
    });
  }
});
