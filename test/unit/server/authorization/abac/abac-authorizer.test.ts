import { expect } from 'chai';
import { createDialect } from '../../../../../src/machinery/dialect.ts';
import { AbacAuthorizer, readAbacPolicies } from '../../../../../src/server/authorization/index.ts';
import { makeExchange } from '../../../../support/exchange.ts';

const dialect = createDialect('orch');
const versioned = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.orch.io/v1beta1', kind: 'Policy', spec });
const read = (...lines: string[]) => readAbacPolicies(lines.join('\n'), '/etc/policy', dialect);
const person = (name: string, groups: readonly string[] = ['system:authenticated']) => ({
  name,
  uid: '',
  groups,
  extra: {},
});

describe('AbacAuthorizer', () => {
  const isAllowed = (line: string, question: string, user = person('alice')): boolean => {
    const [method = '', url = ''] = question.split(' ');
    const { info } = makeExchange({ method, url });
    return new AbacAuthorizer(read(line)).authorize({ user, request: info }).isAllowed;
  };
  const anonymous = person('system:anonymous', ['system:unauthenticated']);
  const pod = '/api/v1/namespaces/n/pods/p';
  const everything = { apiGroup: '*', resource: '*', namespace: '*' };

  const cases: readonly (readonly [string, string, boolean, ReturnType<typeof person>?])[] = [
    [versioned({ user: 'alice', ...everything }), `DELETE ${pod}`, true],
    [versioned({ user: 'alice', ...everything }), `DELETE ${pod}`, false, person('bob')],
    [versioned({ user: 'alice', ...everything }), 'GET /healthz', false],
    [versioned({ user: 'alice', ...everything, readonly: true }), `GET ${pod}`, true],
    [versioned({ user: 'alice', ...everything, readonly: true }), 'GET /api/v1/pods?watch=1', true],
    [versioned({ user: 'alice', ...everything, readonly: true }), `PUT ${pod}`, false],
    [versioned({ group: 'devs', ...everything }), `GET ${pod}`, true, person('x', ['devs'])],
    [versioned({ group: 'devs', ...everything }), `GET ${pod}`, false],
    // Both, where both are given.
    [versioned({ user: 'alice', group: 'devs', ...everything }), `GET ${pod}`, false],
    [
      versioned({ user: 'alice', group: 'devs', ...everything }),
      `GET ${pod}`,
      true,
      person('alice', ['devs']),
    ],
    // Everybody is everybody who is known.
    [versioned({ user: '*', ...everything }), `GET ${pod}`, true],
    [versioned({ user: '*', ...everything }), `GET ${pod}`, false, anonymous],
    [versioned({ group: '*', ...everything }), `GET ${pod}`, false, anonymous],
    [versioned({ ...everything }), `GET ${pod}`, false],
    [versioned({ user: 'alice', resource: 'pods', namespace: 'n' }), `GET ${pod}`, true],
    [versioned({ user: 'alice', resource: 'pods', namespace: 'm' }), `GET ${pod}`, false],
    [versioned({ user: 'alice', resource: 'pods' }), `GET ${pod}`, false],
    [versioned({ user: 'alice', resource: 'pods', namespace: 'n', apiGroup: 'apps' }), `GET ${pod}`, false],
    [versioned({ user: 'alice', resource: 'secrets', namespace: 'n' }), `GET ${pod}`, false],
    [versioned({ user: 'alice', nonResourcePath: '/healthz' }), 'GET /healthz', true],
    [versioned({ user: 'alice', nonResourcePath: '/healthz' }), 'GET /healthz/ping', false],
    [versioned({ user: 'alice', nonResourcePath: '/healthz*' }), 'GET /healthz/ping', true],
    [versioned({ user: 'alice', nonResourcePath: '*' }), 'GET /metrics', true],
    [versioned({ user: 'alice', nonResourcePath: '*' }), `GET ${pod}`, false],
    // Lines without version.
    ['{"user":"alice"}', `DELETE ${pod}`, true],
    ['{"user":"alice"}', 'GET /healthz', true],
    ['{"user":"alice"}', `GET ${pod}`, false, person('bob')],
    ['{"readonly":true}', `GET ${pod}`, true, person('bob')],
    ['{"readonly":true}', `GET ${pod}`, false, anonymous],
    ['{"user":"*","resource":"pods"}', `GET ${pod}`, true],
    ['{"user":"alice","resource":"pods"}', 'GET /healthz', false],
    ['{"user":"alice","namespace":"n"}', '/apis/apps/v1/namespaces/n/deployments', false, person('bob')],
    ['{"user":"alice","namespace":"n"}', 'POST /apis/apps/v1/namespaces/n/deployments', true],
    ['{"user":"alice","namespace":"m"}', 'POST /apis/apps/v1/namespaces/n/deployments', false],
  ];
  for (const [line, question, expected, user] of cases) {
    it(`${expected ? 'allows' : 'leaves to others'} ${question} for ${user?.name ?? 'alice'} by ${line}`, () => {
      expect(isAllowed(line, question, user)).to.equal(expected);
    });
  }

  it('says when no policy fits', () => {
    const { info: request } = makeExchange({ method: 'GET', url: '/x' });
    expect(new AbacAuthorizer([]).authorize({ user: anonymous, request })).to.deep.equal({
      isAllowed: false,
      reason: 'No policy matched.',
    });
  });

  it('lists the rules of a user in a namespace', () => {
    const policies = read(
      versioned({ user: 'alice', resource: 'pods', namespace: 'n', readonly: true }),
      versioned({ user: 'alice', resource: 'secrets', namespace: 'm' }),
      versioned({ group: 'devs', nonResourcePath: '/x', namespace: '*' }),
      versioned({ user: 'bob', ...everything }),
    );
    const user = person('alice', ['devs']);
    expect(new AbacAuthorizer(policies).rulesFor(user, 'n')).to.deep.equal({
      resourceRules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }],
      nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/x'] }],
      isIncomplete: false,
      evaluationError: '',
    });
  });
});

describe('readAbacPolicies', () => {
  it('passes over comments and blank lines', () => {
    expect(read('# a', '', '  # b', '{"user":"a"}', '   ').map(({ user }) => user)).to.deep.equal(['a']);
  });

  it('knows the policies of the other dialect by their name', () => {
    const line = versioned({ user: 'a' }).replace('orch.io', 'kubernetes.io');
    expect(readAbacPolicies(line, 'x', createDialect('kubernetes'))).to.have.length(1);
    expect(() => read(line)).to.throw(/no kind "Policy" is registered/);
  });

  const wrongs: readonly (readonly [string, RegExp])[] = [
    ['hi', /line 2: hi: couldn't get version\/kind; json parse error: json: cannot unmarshal string/],
    ['{"user":1}', /line 2: \{"user":1\}: user: must be a string$/],
    ['{"readonly":"yes"}', /readonly: must be true or false$/],
    ['{"usr":"a"}', /usr: there is no such field$/],
    [versioned({ reaonly: true }), /spec\.reaonly: there is no such field$/],
    [versioned([]), /spec: must be an object$/],
    [
      '{"kind":"Policy","apiVersion":"abac.authorization.orch.io/v2"}',
      /no kind "Policy" is registered for version/,
    ],
    [`{"user":"${'x'.repeat(65_536)}"}`, /\/etc\/policy: line 2: token too long$/],
  ];
  for (const [line, text] of wrongs) {
    it(`names path and line of ${line.slice(0, 40)}`, () => {
      expect(() => read('# first', line)).to.throw(text);
      expect(() => read('# first', line)).to.throw(/^error reading policy file \/etc\/policy/);
    });
  }
});
