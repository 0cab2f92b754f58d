import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/index.ts';
import {
  type Authentication,
  type Authenticator,
  anonymousUser,
  chainAuthenticators,
  withAuthenticatedGroup,
} from '../../../../src/server/authentication/authenticator.ts';
import { AuthorityPool } from '../../../../src/server/authentication/authority-pool.ts';
import { clientCertificateAuthenticator } from '../../../../src/server/authentication/client-certificate.ts';
import { makeExchange } from '../../../support/exchange.ts';

const user = (name: string, groups: string[] = []): UserInfo => ({ name, uid: '', groups, extra: {} });
const knows = (known: UserInfo | 'refused' | undefined): Authenticator => ({ authenticate: () => known });
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

  const late = (known: Authentication): Authenticator => ({ authenticate: async () => known });
  const chains: readonly (readonly [string, readonly Authenticator[], string | undefined])[] = [
    ['one that waits', [late(user('a')), knows(user('b'))], 'a'],
    ['one that waits in vain', [late(undefined), knows(user('b'))], 'b'],
    ['two that wait', [late(undefined), late(user('b'))], 'b'],
    ['one that waits after another', [knows(undefined), late(user('b'))], 'b'],
    ['two that wait in vain', [late(undefined), late(undefined)], anonymousUser.name],
    ['one that refuses late', [late('refused'), knows(user('b'))], 'b'],
    ['one that refuses late, and nobody else', [late('refused'), late(undefined)], undefined],
  ];
  for (const [what, authenticators, name] of chains) {
    it(`asks in order with ${what}`, async () => {
      const chain = chainAuthenticators(authenticators, { allowsAnonymous: true });
      expect((await chain.authenticate(requestWith()))?.name).to.equal(name);
    });
  }

  const cases: [allowsAnonymous: boolean, header: string | undefined, expected: UserInfo | undefined][] = [
    [true, undefined, anonymousUser],
    [false, undefined, undefined],
    [true, 'Bearer wrong', undefined],
    [false, 'Bearer wrong', undefined],
    [true, 'Basic YTpi', anonymousUser],
    [true, 'Bearer ', anonymousUser],
    [true, 'Bearer  two-spaces', anonymousUser],
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

describe('chainAuthenticators with a refusal', () => {
  const chainOf = (...answers: readonly (UserInfo | 'refused' | undefined)[]) =>
    chainAuthenticators(answers.map(knows), { allowsAnonymous: true }).authenticate(requestWith());

  it('has no user, also where strangers are welcome', async () => {
    expect(await chainOf('refused', undefined)).to.equal(undefined);
    expect(await chainOf(undefined, 'refused')).to.equal(undefined);
  });

  it('takes the user whom a later one knows', async () => {
    expect((await chainOf('refused', user('a')))?.name).to.equal('a');
  });

  it('does not ask for more once the user is known', async () => {
    expect((await chainOf(user('a'), 'refused'))?.name).to.equal('a');
  });
});

describe('withAuthenticatedGroup', () => {
  it('leaves whom a proxy calls nobody as it is', () => {
    const anonymous = { ...user('system:anonymous'), groups: [] };
    expect(withAuthenticatedGroup(anonymous)).to.equal(anonymous);
    const unknown = { ...user('a'), groups: ['system:unauthenticated'] };
    expect(withAuthenticatedGroup(unknown)).to.equal(unknown);
  });

  it('adds the group once', () => {
    const once = withAuthenticatedGroup(user('a'));
    expect(withAuthenticatedGroup(once)).to.equal(once);
    expect(once.groups).to.deep.equal(['system:authenticated']);
  });
});

describe('clientCertificateAuthenticator', () => {
  const day = (number: number) => Date.UTC(2026, 0, number);
  const validity = (from: number, to: number) => ({
    valid_from: new Date(day(from)).toUTCString(),
    valid_to: new Date(day(to)).toUTCString(),
  });
  const socketOf = (subject: object | undefined, { authorized = true, issuer = {} } = {}) => ({
    authorized,
    lookups: 0,
    getPeerCertificate() {
      this.lookups++;
      return { subject, ...validity(1, 10), ...issuer };
    },
  });
  /** What a certificate above the client's adds to it. A root is its own issuer. */
  const issuedBy = (from: number, to: number) => {
    const issuer: Record<string, unknown> = { subject: { CN: 'ca' }, ...validity(from, to) };
    issuer.issuerCertificate = issuer;
    return { issuer: { issuerCertificate: issuer } };
  };
  const authenticator = clientCertificateAuthenticator({
    authorities: new AuthorityPool([], { isOnly: true }),
    nowMs: () => day(5),
  });

  const cases: [name: string, socket: object, expected: UserInfo | 'refused' | undefined][] = [
    ['a name', socketOf({ CN: 'alice' }), user('alice')],
    ['a name and an organization', socketOf({ CN: 'alice', O: 'devs' }), user('alice', ['devs'])],
    ['organizations', socketOf({ CN: 'alice', O: ['devs', 'ops'] }), user('alice', ['devs', 'ops'])],
    ['several names, the last of them', socketOf({ CN: ['alice', 'bob'] }), user('bob')],
    ['no name', socketOf({ O: 'devs' }), undefined],
    ['an empty name', socketOf({ CN: '' }), undefined],
    ['no subject', socketOf(undefined), undefined],
    ['a connection without TLS', {}, undefined],
    ['an authority that is not ours', socketOf({ CN: 'alice' }, { authorized: false }), 'refused'],
    ['no name of a foreign authority', socketOf({ O: 'devs' }, { authorized: false }), 'refused'],
    ['an authority that is valid', socketOf({ CN: 'alice' }, issuedBy(1, 9)), user('alice')],
    ['an authority that has expired', socketOf({ CN: 'alice' }, issuedBy(1, 4)), 'refused'],
    ['an authority that is not valid yet', socketOf({ CN: 'alice' }, issuedBy(6, 9)), 'refused'],
  ];
  for (const [name, socket, expected] of cases) {
    it(`reads ${name}`, () => {
      expect(authenticator.authenticate(makeExchange({ socket }).request)).to.deep.equal(expected);
    });
  }

  it('refuses a certificate before and after its time, on a connection that stays open too', () => {
    let nowMs = day(1) - 1000;
    const authenticator = clientCertificateAuthenticator({
      authorities: new AuthorityPool([], { isOnly: true }),
      nowMs: () => nowMs,
    });
    const { request } = makeExchange({ socket: socketOf({ CN: 'alice' }) });
    const answers = [nowMs, day(1), day(10), day(10) + 1000].map((moment) => {
      nowMs = moment;
      return authenticator.authenticate(request);
    });
    expect(answers).to.deep.equal(['refused', user('alice'), user('alice'), 'refused']);
  });

  it('looks at a connection’s certificate once', () => {
    for (const subject of [{ CN: 'alice' }, {}, undefined]) {
      const socket = socketOf(subject);
      const answers = [1, 2, 3].map(() => authenticator.authenticate(makeExchange({ socket }).request));
      expect(new Set(answers).size).to.equal(1);
      expect(socket.lookups).to.equal(1);
    }
  });

  it('looks at it once over HTTP/2 too, where each request has a socket of its own', () => {
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
