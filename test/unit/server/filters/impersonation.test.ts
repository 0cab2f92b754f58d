import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/index.ts';
import { encodeHeader } from '../../../../src/base/index.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { StatusError } from '../../../../src/machinery/errors/index.ts';
import type { Authorizer } from '../../../../src/server/authorization/index.ts';
import { impersonation } from '../../../../src/server/filters/impersonation.ts';
import { makeExchange } from '../../../support/exchange.ts';

const alice = { name: 'alice', uid: '1', groups: ['devs'], extra: {} };

/** Runs a request with these headers; gives whom it ran as, what was asked, and the answer. */
async function run(headers: readonly (readonly [string, string])[], refuses = '') {
  const asked: string[] = [];
  const authorizer: Authorizer = {
    authorize({ user, request }) {
      const { verb, group, version, resource, subresource, namespace, name } = request;
      const what = [
        version === '' ? group : `${group}/${version}`,
        resource,
        subresource,
        namespace,
        name,
      ].join('|');
      asked.push(`${user.name} ${verb} ${what}`);
      return { isAllowed: what !== refuses, reason: '' };
    },
  };
  const exchange = makeExchange({
    url: '/api/v1/nodes/x',
    user: alice,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    rawHeaders: headers.flat(),
  });
  let user: UserInfo | undefined;
  const failure = await impersonation({ dialect: orchDialect, authorizer })(
    exchange,
    async ({ user: found }) => {
      user = found;
    },
  ).catch((error: unknown) => error);
  const { headers: left, rawHeaders: leftRaw } = exchange.request;
  return { user, asked, failure, answer: exchange.answer, left, leftRaw };
}

describe('impersonation', () => {
  it('lets other requests run as who sent them', async () => {
    const { user, asked } = await run([['Accept', 'x']]);
    expect(user).to.deep.equal(alice);
    expect(asked).to.deep.equal([]);
  });

  it('runs a request as a user, who is authenticated', async () => {
    const { user, asked } = await run([['Impersonate-User', 'bob']]);
    expect(user).to.deep.equal({ name: 'bob', uid: '', groups: ['system:authenticated'], extra: {} });
    expect(asked).to.deep.equal(['alice impersonate |users|||bob']);
  });

  it('knows names beyond ASCII', async () => {
    const { user, asked } = await run([
      ['Impersonate-User', encodeHeader('zoë')],
      ['Impersonate-Group', encodeHeader('łódź')],
      ['Impersonate-Extra-A', encodeHeader('ü')],
    ]);
    expect(user).to.deep.equal({
      name: 'zoë',
      uid: '',
      groups: ['łódź', 'system:authenticated'],
      extra: { a: ['ü'] },
    });
    expect(asked[0]).to.equal('alice impersonate |users|||zoë');
  });

  it('runs a request as a user in groups, with extra values', async () => {
    const { user, asked } = await run([
      ['Impersonate-User', 'bob'],
      ['Impersonate-Group', 'a'],
      ['impersonate-group', 'b, c'],
      ['Impersonate-Extra-Scopes', 'view'],
      ['Impersonate-Extra-Scopes', 'edit'],
      ['Impersonate-Extra-Acme.com%2Fproject', 'p'],
    ]);
    expect(user).to.deep.equal({
      name: 'bob',
      uid: '',
      groups: ['a', 'b, c', 'system:authenticated'],
      extra: { scopes: ['view', 'edit'], 'acme.com/project': ['p'] },
    });
    expect(asked).to.deep.equal([
      'alice impersonate |users|||bob',
      'alice impersonate |groups|||a',
      'alice impersonate |groups|||b, c',
      'alice impersonate authentication.orch.io/v1|userextras|scopes||view',
      'alice impersonate authentication.orch.io/v1|userextras|scopes||edit',
      'alice impersonate authentication.orch.io/v1|userextras|acme.com/project||p',
    ]);
  });

  it('takes any key of an extra value, also one that every object has', async () => {
    const { user } = await run([
      ['Impersonate-User', 'bob'],
      ['Impersonate-Extra-constructor', 'p'],
    ]);
    expect(user?.extra).to.deep.equal({ constructor: ['p'] });
  });

  it('runs a request as a service account, in its groups', async () => {
    const { user, asked } = await run([['Impersonate-User', 'system:serviceaccount:n:a']]);
    expect(user?.groups).to.deep.equal([
      'system:serviceaccounts',
      'system:serviceaccounts:n',
      'system:authenticated',
    ]);
    expect(asked).to.deep.equal(['alice impersonate |serviceaccounts||n|a']);
  });

  for (const name of ['N:a', 'n:A', 'n:', ':a', 'n:a:b', 'n']) {
    it(`takes system:serviceaccount:${name} for a user like any other`, async () => {
      const { user, asked } = await run([['Impersonate-User', `system:serviceaccount:${name}`]]);
      expect(user?.groups).to.deep.equal(['system:authenticated']);
      expect(asked).to.deep.equal([`alice impersonate |users|||system:serviceaccount:${name}`]);
    });
  }

  it('leaves nothing of it to whom the request is passed on', async () => {
    const { left, leftRaw } = await run([
      ['Impersonate-User', 'bob'],
      ['Accept', 'x'],
      ['Impersonate-Group', 'a'],
      ['Impersonate-Extra-Scopes', 'view'],
    ]);
    expect([left, leftRaw]).to.deep.equal([{ accept: 'x' }, ['Accept', 'x']]);
  });

  it('does not make the anonymous user an authenticated one', async () => {
    const { user } = await run([['Impersonate-User', 'system:anonymous']]);
    expect(user?.groups).to.deep.equal(['system:unauthenticated']);
  });

  for (const group of ['system:authenticated', 'system:unauthenticated']) {
    it(`adds no group beside ${group}`, async () => {
      const { user } = await run([
        ['Impersonate-User', 'bob'],
        ['Impersonate-Group', group],
      ]);
      expect(user?.groups).to.deep.equal([group]);
    });
  }

  it('is refused to those who may not', async () => {
    const headers = [
      ['Impersonate-User', 'bob'],
      ['Impersonate-Group', 'admins'],
    ] as const;
    const { user, failure } = await run(headers, '|groups|||admins');
    expect(user).to.equal(undefined);
    expect(failure).to.be.instanceOf(StatusError);
    expect((failure as StatusError).message).to.equal(
      'groups "admins" is forbidden: User "alice" cannot impersonate resource "groups" in API group "" at the cluster scope',
    );
  });

  it('refuses headers of later releases, rather than run without them', async () => {
    const { user, failure } = await run([
      ['Impersonate-User', 'bob'],
      ['Impersonate-Uid', '7'],
    ]);
    expect(user).to.equal(undefined);
    expect(failure).to.have.property('message', 'the header impersonate-uid is not supported');
  });

  it('needs a user', async () => {
    const { user, answer } = await run([
      ['Impersonate-Group', 'x'],
      ['Impersonate-Extra-Scopes', 'view'],
    ]);
    expect(user).to.equal(undefined);
    expect(answer.statusCode).to.equal(500);
    expect(answer.text).to.equal(
      'Internal Server Error: "/api/v1/nodes/x": requested [{Group  x    } {UserExtra  view  authentication.orch.io/v1  scopes}] without impersonating a user\n',
    );
  });
});
