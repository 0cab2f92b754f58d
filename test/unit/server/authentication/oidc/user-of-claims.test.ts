import { expect } from 'chai';
import fc from 'fast-check';
import { type ClaimOptions, userOfClaims } from '../../../../../src/server/authentication/oidc/claims.ts';

const plain: ClaimOptions = {
  usernameClaim: 'sub',
  usernamePrefix: '',
  groupsClaim: undefined,
  groupsPrefix: '',
  requiredClaims: {},
};
type Json = Readonly<Record<string, unknown>>;
const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });

describe('userOfClaims', () => {
  const accepted: readonly [string, Json, Partial<ClaimOptions>, object][] = [
    ['names the user by the claim', { sub: 'jane', name: 'Jane' }, {}, user('jane')],
    ['puts the prefix before the name', { sub: 'jane' }, { usernamePrefix: 'oidc:' }, user('oidc:jane')],
    ['keeps any characters of a name', { sub: 'jäne 🦊\n' }, {}, user('jäne 🦊\n')],
    [
      'believes an address that is verified',
      { email: 'j@x.y', email_verified: true },
      { usernameClaim: 'email' },
      user('j@x.y'),
    ],
    [
      'believes an address of which nothing is said',
      { email: 'j@x.y' },
      { usernameClaim: 'email' },
      user('j@x.y'),
    ],
    [
      'does not look at the address where another claim names the user',
      { sub: 'jane', email_verified: false },
      {},
      user('jane'),
    ],
    ['knows no groups where no claim names them', { sub: 'jane', groups: ['admins'] }, {}, user('jane')],
    [
      'takes a list of groups in its order',
      { sub: 'j', groups: ['b', 'a'] },
      { groupsClaim: 'groups' },
      user('j', 'b', 'a'),
    ],
    ['takes one group', { sub: 'j', groups: 'admins' }, { groupsClaim: 'groups' }, user('j', 'admins')],
    ['takes no groups', { sub: 'j', groups: [] }, { groupsClaim: 'groups' }, user('j')],
    ['needs no groups', { sub: 'j' }, { groupsClaim: 'groups' }, user('j')],
    [
      'puts the prefix before each group',
      { sub: 'j', groups: ['a', 'b'] },
      { groupsClaim: 'groups', groupsPrefix: 'g:' },
      user('j', 'g:a', 'g:b'),
    ],
    [
      'finds all that is required',
      { sub: 'j', hd: 'x.y', env: 'test' },
      { requiredClaims: { hd: 'x.y', env: 'test' } },
      user('j'),
    ],
  ];
  for (const [title, claims, options, expected] of accepted)
    it(title, () => expect(userOfClaims(claims, { ...plain, ...options })).to.deep.equal(expected));

  const email = { usernameClaim: 'email' };
  const groups = { groupsClaim: 'groups' };
  const required = { requiredClaims: { hd: 'x.y' } };
  const refused: readonly [string, Json, Partial<ClaimOptions>, string][] = [
    ['no name', { name: 'jane' }, {}, 'oidc: parse username claims "sub": claim not present'],
    ['a name that is no text', { sub: 7 }, {}, 'oidc: parse username claims "sub"'],
    ['a name that is null', { sub: null }, {}, 'oidc: parse username claims "sub"'],
    [
      'an address that is not verified',
      { email: 'j@x.y', email_verified: false },
      email,
      'oidc: email not verified',
    ],
    [
      'a truth that is text',
      { email: 'j@x.y', email_verified: 'true' },
      email,
      "oidc: parse 'email_verified' claim",
    ],
    [
      'a truth that is a number',
      { email: 'j@x.y', email_verified: 1 },
      email,
      "oidc: parse 'email_verified' claim",
    ],
    ['groups that are a number', { sub: 'j', groups: 1 }, groups, 'oidc: parse groups claim "groups"'],
    [
      'groups that are a map',
      { sub: 'j', groups: { admins: true } },
      groups,
      'oidc: parse groups claim "groups"',
    ],
    ['a group that is no text', { sub: 'j', groups: ['a', 1] }, groups, 'oidc: parse groups claim "groups"'],
    ['a list in the list', { sub: 'j', groups: [['a']] }, groups, 'oidc: parse groups claim "groups"'],
    [
      'a required claim that is missing',
      { sub: 'j' },
      required,
      'oidc: required claim hd not present in ID token',
    ],
    ['another value', { sub: 'j', hd: 'x.yz' }, required, 'oidc: required claim hd value does not match'],
    [
      'a value in another case',
      { sub: 'j', hd: 'X.Y' },
      required,
      'oidc: required claim hd value does not match',
    ],
    ['a required claim that is a list', { sub: 'j', hd: ['x.y'] }, required, 'oidc: parse claim hd'],
  ];
  for (const [title, claims, options, problem] of refused) {
    it(`refuses ${title}`, () => {
      const verdict = userOfClaims(claims, { ...plain, ...options });
      expect(verdict)
        .to.be.a('string')
        .that.satisfies((text: string) => text.startsWith(problem));
    });
  }

  it('does not take what objects inherit for a claim', () => {
    for (const claim of ['constructor', 'toString', '__proto__']) {
      expect(userOfClaims({}, { ...plain, usernameClaim: claim })).to.contain('claim not present');
      const options = { ...plain, groupsClaim: claim };
      expect(userOfClaims({ sub: 'j' }, options)).to.deep.equal(user('j'));
      const required = Object.fromEntries([[claim, 'x']]);
      expect(userOfClaims({ sub: 'j' }, { ...plain, requiredClaims: required })).to.contain('not present');
    }
  });

  it('lets nobody in whose required claim has any other value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (hd) => {
        const verdict = userOfClaims({ sub: 'j', hd }, { ...plain, requiredClaims: { hd: 'x.y' } });
        expect(typeof verdict).to.equal(hd === 'x.y' ? 'object' : 'string');
      }),
    );
  });

  it('puts the prefixes before whatever a token says, so that it names nobody else', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 5 }), (sub, list) => {
        const options = { ...plain, usernamePrefix: 'u:', groupsClaim: 'groups', groupsPrefix: 'g:' };
        const verdict = userOfClaims({ sub, groups: list }, options);
        expect(verdict).to.deep.equal(user(`u:${sub}`, ...list.map((group) => `g:${group}`)));
      }),
    );
  });
});
