import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/index.ts';
import {
  type Authenticator,
  anonymousUser,
  chainAuthenticators,
  chainTokenAuthenticators,
  type TokenAuthenticator,
  withAuthenticatedGroup,
} from '../../../../src/server/auth/authenticator.ts';
import { clientCertificateAuthenticator } from '../../../../src/server/auth/client-certificate.ts';
import { makeExchange } from '../../../support/exchange.ts';

const user = (name: string, groups: string[] = []): UserInfo => ({ name, uid: '', groups, extra: {} });
const knows = (known: UserInfo | undefined): Authenticator => ({ authenticate: () => known });
const requestWith = (authorization?: string) =>
  makeExchange({ headers: authorization === undefined ? {} : { authorization } }).request;

describe('chainAuthenticators', () => {
  it('takes the first who knows the user, and adds the group of all who are known', async () => {
    const chain = chainAuthenticators([knows(undefined), knows(user('a', ['g'])), knows(user('b'))], {
      allowsAnonymous: true,
    });
    expect(await chain.authenticate(requestWith())).to.deep.include({
      name: 'a',
      groups: ['g', 'system:authenticated'],
    });
  });

  const cases: [allowsAnonymous: boolean, header: string | undefined, expected: UserInfo | undefined][] = [
    [true, undefined, anonymousUser],
    [false, undefined, undefined],
    [true, 'Bearer wrong', undefined],
    [false, 'Bearer wrong', undefined],
    [true, 'Basic YTpi', anonymousUser],
    [true, 'Bearer ', anonymousUser],
    [false, 'Basic YTpi', undefined],
  ];
  for (const [allowsAnonymous, header, expected] of cases) {
    const mode = allowsAnonymous ? 'allowed' : 'off';
    it(`answers ${expected?.name ?? 'nobody'} with anonymous access ${mode} and the header ${header}`, async () => {
      const chain = chainAuthenticators([knows(undefined)], { allowsAnonymous });
      expect(await chain.authenticate(requestWith(header))).to.equal(expected);
    });
  }
});

describe('chainTokenAuthenticators', () => {
  const tokens: TokenAuthenticator = {
    authenticateToken: (token) => (token === 'good' ? user('a', ['g']) : undefined),
  };
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['good', 'a'],
    [' good\t', 'a'],
    ['go od', undefined],
    ['', 'system:anonymous'],
    ['  ', 'system:anonymous'],
  ];
  for (const [token, name] of cases) {
    it(`finds ${name ?? 'nobody'} for ${JSON.stringify(token)}`, async () => {
      const nobody: TokenAuthenticator = { authenticateToken: () => undefined };
      const chain = chainTokenAuthenticators([nobody, tokens], { allowsAnonymous: true });
      expect((await chain.authenticateToken(token))?.name).to.equal(name);
    });
  }

  it('knows nobody without a token where that is not allowed', async () => {
    const chain = chainTokenAuthenticators([tokens], { allowsAnonymous: false });
    expect(await chain.authenticateToken(' ')).to.equal(undefined);
    expect((await chain.authenticateToken('good'))?.groups).to.deep.equal(['g', 'system:authenticated']);
  });
});

describe('withAuthenticatedGroup', () => {
  it('adds the group once', () => {
    const once = withAuthenticatedGroup(user('a'));
    expect(withAuthenticatedGroup(once)).to.equal(once);
    expect(once.groups).to.deep.equal(['system:authenticated']);
  });
});

describe('clientCertificateAuthenticator', () => {
  const socketOf = (subject: object | undefined, authorized = true) => ({
    authorized,
    lookups: 0,
    getPeerCertificate() {
      this.lookups++;
      return { subject };
    },
  });
  const cases: [name: string, socket: object, expected: UserInfo | undefined][] = [
    ['a name', socketOf({ CN: 'alice' }), user('alice')],
    ['a name and an organization', socketOf({ CN: 'alice', O: 'devs' }), user('alice', ['devs'])],
    ['organizations', socketOf({ CN: 'alice', O: ['devs', 'ops'] }), user('alice', ['devs', 'ops'])],
    ['several names, the first of them', socketOf({ CN: ['alice', 'bob'] }), user('alice')],
    ['no name', socketOf({ O: 'devs' }), undefined],
    ['an empty name', socketOf({ CN: '' }), undefined],
    ['no subject', socketOf(undefined), undefined],
    ['an authority that is not ours', socketOf({ CN: 'alice' }, false), undefined],
  ];
  for (const [name, socket, expected] of cases) {
    it(`reads ${name}`, () => {
      const { request } = makeExchange({ socket });
      expect(clientCertificateAuthenticator().authenticate(request)).to.deep.equal(expected);
    });
  }

  it('looks at a connection’s certificate once', () => {
    for (const subject of [{ CN: 'alice' }, {}]) {
      const authenticator = clientCertificateAuthenticator();
      const socket = socketOf(subject);
      const answers = [1, 2, 3].map(() => authenticator.authenticate(makeExchange({ socket }).request));
      expect(new Set(answers).size).to.equal(1);
      expect(socket.lookups).to.equal(1);
    }
  });

  it('looks at it once over HTTP/2 too, where each request has a socket of its own', () => {
    const authenticator = clientCertificateAuthenticator();
    const socket = socketOf({ CN: 'alice' });
    const session = {};
    const answers = [1, 2, 3].map(() => {
      const exchange = makeExchange({ socket: Object.create(socket), stream: { session } });
      return authenticator.authenticate(exchange.request);
    });
    expect(new Set(answers).size).to.equal(1);
    const another = makeExchange({ socket: socketOf({ CN: 'bob' }), stream: { session: {} } });
    expect(authenticator.authenticate(another.request)).to.deep.equal(user('bob'));
  });
});
