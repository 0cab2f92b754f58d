import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/index.ts';
import {
  type Authorizer,
  alwaysAllow,
  alwaysDeny,
  authorizersFor,
  chainAuthorizers,
  noOpinion,
  privilegedGroup,
} from '../../../../src/server/authorization/authorizer.ts';
import { makeExchange } from '../../../support/exchange.ts';

const anonymous = { name: 'system:anonymous', groups: ['system:unauthenticated'] };
const known = { name: 'alice', groups: ['system:authenticated'] };
const master = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

const ask = async (authorizer: Authorizer, user: Partial<UserInfo>, method: string, url: string) => {
  const exchange = makeExchange({ method, url, user });
  return authorizer.authorize({ user: exchange.user, request: exchange.info });
};

describe('chainAuthorizers', () => {
  const refuses = (reason: string): Authorizer => ({ authorize: () => ({ isAllowed: false, reason }) });

  it('allows what one allows', async () => {
    const chain = chainAuthorizers([refuses('a'), alwaysAllow, refuses('b')]);
    expect((await ask(chain, known, 'GET', '/x')).isAllowed).to.equal(true);
  });

  it('gives all reasons when none allows, line by line', async () => {
    const chain = chainAuthorizers([refuses('a'), refuses(''), refuses('b')]);
    expect(await ask(chain, known, 'GET', '/x')).to.deep.equal({ isAllowed: false, reason: 'a\nb' });
  });

  it('gives all failures when none allows, each once', async () => {
    const fails = (error: string): Authorizer => ({
      authorize: () => ({ isAllowed: false, reason: '', error }),
    });
    const errorOf = async (authorizers: readonly Authorizer[]) =>
      (await ask(chainAuthorizers(authorizers), known, 'GET', '/x')).error;
    expect(await errorOf([fails('a'), refuses('x')])).to.equal('a');
    expect(await errorOf([fails('a'), fails('b')])).to.equal('[a, b]');
    expect(await errorOf([fails('a'), fails('a')])).to.equal('a');
    expect(await errorOf([fails('a'), alwaysAllow])).to.equal(undefined);
  });

  it('refuses what one denies before anybody allows', async () => {
    const denies: Authorizer = { authorize: () => ({ isAllowed: false, isDenied: true, reason: 'never' }) };
    expect(
      await ask(chainAuthorizers([refuses('a'), denies, alwaysAllow]), known, 'GET', '/x'),
    ).to.deep.equal({
      isAllowed: false,
      isDenied: true,
      reason: 'never',
    });
    expect((await ask(chainAuthorizers([alwaysAllow, denies]), known, 'GET', '/x')).isAllowed).to.equal(true);
  });

  const late = (authorizer: Authorizer): Authorizer => ({
    authorize: async (question) => authorizer.authorize(question),
  });
  const forms: readonly (readonly [string, (authorizer: Authorizer) => Authorizer])[] = [
    ['at once', (authorizer) => authorizer],
    ['later', late],
  ];
  for (const [first, makeFirst] of forms) {
    for (const [second, makeSecond] of forms) {
      it(`asks in order when the first answers ${first} and the second ${second}`, async () => {
        const asked: string[] = [];
        const noted = (name: string, authorizer: Authorizer): Authorizer => ({
          authorize(question) {
            asked.push(name);
            return authorizer.authorize(question);
          },
        });
        const chain = chainAuthorizers([
          noted('a', makeFirst(refuses('a'))),
          noted('b', makeSecond(alwaysAllow)),
          noted('c', alwaysDeny),
        ]);
        expect((await ask(chain, known, 'GET', '/x')).isAllowed).to.equal(true);
        expect(asked).to.deep.equal(['a', 'b']);
        const refusing = chainAuthorizers([makeFirst(refuses('a')), makeSecond(refuses('b'))]);
        expect((await ask(refusing, known, 'GET', '/x')).reason).to.equal('a\nb');
      });
    }
  }

  it('refuses when nobody is asked', async () => {
    expect((await ask(chainAuthorizers([]), master, 'GET', '/x')).isAllowed).to.equal(false);
  });
});

describe('authorizersFor', () => {
  const rbac: Authorizer = {
    authorize: ({ user }) => ({ isAllowed: user.name === known.name, reason: '' }),
  };
  const cases: [modes: string[], user: Partial<UserInfo>, method: string, url: string, isAllowed: boolean][] =
    [
      [['AlwaysAllow'], anonymous, 'DELETE', '/api/v1/nodes', true],
      [['AlwaysDeny'], known, 'GET', '/healthz', false],
      [['AlwaysDeny'], master, 'DELETE', '/api/v1/nodes', true],
      [['Node', 'RBAC'], master, 'GET', '/api/v1/secrets', true],
      [['Node'], known, 'GET', '/healthz', false],
      [['Node', 'RBAC'], known, 'GET', '/healthz', true],
      [['Node', 'RBAC'], anonymous, 'GET', '/healthz', false],
      [['RBAC', 'AlwaysAllow'], anonymous, 'GET', '/api/v1/secrets', true],
    ];
  for (const [modes, user, method, url, isAllowed] of cases) {
    it(`${isAllowed ? 'allows' : 'refuses'} ${user.name} ${method} ${url} in ${modes}`, async () => {
      expect(
        (
          await ask(
            authorizersFor(modes, { RBAC: rbac, Node: { authorize: () => noOpinion } }),
            user,
            method,
            url,
          )
        ).isAllowed,
      ).to.equal(isAllowed);
    });
  }
});

describe('fixed authorizers', () => {
  it('say that everything is forbidden', async () => {
    expect(await ask(alwaysDeny, master, 'GET', '/x')).to.deep.equal({
      isAllowed: false,
      reason: 'Everything is forbidden.',
    });
  });

  it('know the privileged group by its full name only', async () => {
    const almost = { name: 'x', groups: ['system:master', 'system:masters2', 'SYSTEM:MASTERS'] };
    expect((await ask(privilegedGroup, almost, 'GET', '/x')).isAllowed).to.equal(false);
  });
});
