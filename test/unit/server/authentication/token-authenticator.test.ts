import { expect } from 'chai';
import {
  chainTokenAuthenticators,
  forOwnAudiences,
  refusedToken,
  type TokenAuthenticator,
  type TokenVerdict,
  unknownToken,
} from '../../../../src/server/authentication/token-authenticator.ts';

const user = (name: string): TokenVerdict => ({
  kind: 'user',
  user: { name, uid: '', groups: [], extra: {} },
  audiences: ['a'],
});
const says = (verdict: TokenVerdict): TokenAuthenticator => ({ authenticateToken: () => verdict });
const saysLate = (verdict: TokenVerdict): TokenAuthenticator => ({ authenticateToken: async () => verdict });

describe('chainTokenAuthenticators', () => {
  const cases: readonly (readonly [string, readonly TokenAuthenticator[], TokenVerdict])[] = [
    ['nobody', [], unknownToken],
    ['who knows nothing', [says(unknownToken), saysLate(unknownToken)], unknownToken],
    ['the first who knows', [says(unknownToken), saysLate(user('x')), says(user('y'))], user('x')],
    ['a later one after a refusal', [says(refusedToken('no')), says(user('x'))], user('x')],
    [
      'all who refuse',
      [says(refusedToken('a', 'b')), says(unknownToken), saysLate(refusedToken('c'))],
      refusedToken('a', 'b', 'c'),
    ],
  ];
  for (const [what, authenticators, expected] of cases) {
    it(`hears ${what}`, async () => {
      expect(await chainTokenAuthenticators(authenticators).authenticateToken('t', ['a'])).to.deep.equal(
        expected,
      );
    });
  }
});

describe('forOwnAudiences', () => {
  const known = { name: 'x', uid: '', groups: [], extra: {} };
  const authenticator = forOwnAudiences({ userOfToken: (token) => (token === 'good' ? known : undefined) }, [
    'a',
    'b',
  ]);
  const cases: readonly (readonly [string, readonly string[], TokenVerdict])[] = [
    ['good', ['b', 'c', 'a'], { kind: 'user', user: known, audiences: ['b', 'a'] }],
    ['good', ['c'], unknownToken],
    ['good', [], unknownToken],
    ['bad', ['a'], unknownToken],
  ];
  for (const [token, audiences, expected] of cases) {
    it(`judges a ${token} token for ${audiences.join(' and ') || 'nobody'}`, () => {
      expect(authenticator.authenticateToken(token, audiences)).to.deep.equal(expected);
    });
  }
});
