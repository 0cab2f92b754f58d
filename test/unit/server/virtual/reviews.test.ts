import { expect } from 'chai';
import type { UserInfo } from '../../../../src/apis/kind-rules.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  chainTokenAuthenticators,
  forOwnAudiences,
  refusedToken,
  unknownToken,
} from '../../../../src/server/authentication/token-authenticator.ts';
import { tokenFileAuthenticator } from '../../../../src/server/authentication/token-file.ts';
import {
  type AuthorizationQuestion,
  type Authorizer,
  chainRuleResolvers,
  everyRule,
  type RuleResolver,
  unknownRules,
} from '../../../../src/server/authorization/index.ts';
import { createVirtualHandlers, standardComponents } from '../../../../src/server/virtual/index.ts';
import { type ApiBench, openApiBench } from '../api-bench.ts';
import { audiences, order, TokenBench } from '../authentication/service-account-bench.ts';

const authorization = 'authorization.orch.io/v1';
const authentication = 'authentication.orch.io/v1';
const alice: UserInfo = { name: 'alice', uid: 'u', groups: ['devs'], extra: {} };

describe('createVirtualHandlers', () => {
  let bench: ApiBench;
  let tokens: TokenBench;
  let questions: AuthorizationQuestion[];
  let rules: RuleResolver;
  beforeEach(async () => {
    tokens = new TokenBench();
    questions = [];
    rules = { rulesFor: () => unknownRules('not told') };
    const authorizer: Authorizer = {
      authorize(question) {
        questions.push(question);
        if (question.request.verb === 'crash') return { isAllowed: false, reason: '', error: 'no rules' };
        if (question.request.verb === 'never') return { isAllowed: false, isDenied: true, reason: 'no' };
        const isAllowed = question.user.name === 'alice';
        return { isAllowed, reason: isAllowed ? 'because' : '' };
      },
    };
    const tokenAuthenticator = chainTokenAuthenticators([
      forOwnAudiences(tokenFileAuthenticator('usertoken,alice,alice-uid,"devs,testers"'), audiences),
      tokens.makeVerifier(),
      {
        authenticateToken: (token) =>
          token === 'broken' ? refusedToken('no answer', 'invalid bearer token') : unknownToken,
      },
    ]);
    bench = await openApiBench(({ stores, storage }) => ({
      virtual: createVirtualHandlers({
        dialect: orchDialect,
        stores,
        authorizer,
        tokenAuthenticator,
        audiences,
        allowsAnonymous: true,
        rules: { rulesFor: (user, namespace) => rules.rulesFor(user, namespace) },
        components: standardComponents({
          pingStorage: () => storage.ping(),
          runsControllers: () => true,
          runsScheduler: () => false,
        }),
      }),
    }));
  });
  afterEach(() => bench[Symbol.asyncDispose]());

  const post = (kind: string, path: string, fields: object, user = alice, apiVersion = authorization) =>
    bench.send('POST', path, { body: { kind, apiVersion, ...fields }, user });

  /** Reviews are not stored, yet say who set what. */
  const owners = (apiVersion: string, fields: object) => [
    {
      manager: 'unknown',
      operation: 'Update',
      apiVersion,
      time: '2021-02-03T04:05:06Z',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': fields },
    },
  ];

  describe('selfsubjectaccessreviews', () => {
    const path = `/apis/${authorization}/selfsubjectaccessreviews`;
    const ask = (fields: object, user = alice) => post('SelfSubjectAccessReview', path, fields, user);

    it('asks for the user of the request', async () => {
      const resourceAttributes = { verb: 'delete', resource: 'nodes' };
      const { code, body } = await ask({ spec: { resourceAttributes } });
      expect(code).to.equal(201);
      expect(body).to.deep.equal({
        kind: 'SelfSubjectAccessReview',
        apiVersion: authorization,
        metadata: {
          creationTimestamp: null,
          managedFields: owners(authorization, {
            'f:resourceAttributes': { '.': {}, 'f:resource': {}, 'f:verb': {} },
          }),
        },
        spec: { resourceAttributes },
        status: { allowed: true, reason: 'because' },
      });
      const [question] = questions;
      expect(question?.user).to.equal(alice);
      expect(question?.request).to.include({
        isResource: true,
        verb: 'delete',
        resource: 'nodes',
        version: '',
      });
    });

    it('asks about paths', async () => {
      const nonResourceAttributes = { path: '/metrics', verb: 'get' };
      const { body } = await ask({ spec: { nonResourceAttributes } }, { ...alice, name: 'bob' });
      expect(body.status).to.deep.equal({ allowed: false });
      expect(questions[0]?.request).to.include({ isResource: false, verb: 'get', path: '/metrics' });
    });

    it('tells what went wrong while deciding', async () => {
      const { body } = await ask({ spec: { resourceAttributes: { verb: 'crash' } } });
      expect(body.status).to.deep.equal({ allowed: false, evaluationError: 'no rules' });
    });

    it('tells that nobody else is asked', async () => {
      const { body } = await ask({ spec: { resourceAttributes: { verb: 'never' } } });
      expect(body.status).to.deep.equal({ allowed: false, denied: true, reason: 'no' });
    });

    it('refuses to be asked nothing', async () => {
      const { body } = await ask({ spec: {} });
      const message =
        'Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified';
      expect(body).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `.authorization.orch.io "" is invalid: spec.resourceAttributes: ${message}`,
        reason: 'Invalid',
        details: {
          group: 'authorization.orch.io',
          causes: [{ reason: 'FieldValueInvalid', message, field: 'spec.resourceAttributes' }],
        },
        code: 422,
      });
    });

    it('refuses to be asked two things, and metadata', async () => {
      const spec = { resourceAttributes: {}, nonResourceAttributes: { path: '/x', verb: 'get' } };
      const { body } = await ask({ metadata: { name: 'x' }, spec });
      const [first, second] = body.details.causes;
      expect(first.message).to.equal(
        'Invalid value: authorization.NonResourceAttributes{Path:"/x", Verb:"get"}: cannot be specified in combination with resourceAttributes',
      );
      expect(second.field).to.equal('metadata');
      expect(second.message).to.match(/^Invalid value: v1\.ObjectMeta\{Name:"x", .*\}: must be empty$/);
      expect(second.message).to.contain('CreationTimestamp:v1.Time{Time:time.Time{wall:0x0');
    });
  });

  describe('subjectaccessreviews', () => {
    const path = `/apis/${authorization}/subjectaccessreviews`;

    it('asks for the user of the review', async () => {
      const resourceAttributes = {
        verb: 'get',
        group: 'apps',
        resource: 'deployments',
        subresource: 'scale',
      };
      const spec = { user: 'alice', groups: ['g'], uid: 'u', extra: { k: ['v'] }, resourceAttributes };
      const { body } = await post('SubjectAccessReview', path, { spec }, { ...alice, name: 'bob' });
      expect(body.status.allowed).to.equal(true);
      const [question] = questions;
      expect(question?.user).to.deep.equal({ name: 'alice', uid: 'u', groups: ['g'], extra: { k: ['v'] } });
      expect(question?.request).to.include({ group: 'apps', subresource: 'scale' });
    });

    it('reads the groups of the beta version', async () => {
      const spec = { group: ['g'], nonResourceAttributes: { path: '/', verb: 'get' } };
      const beta = 'authorization.orch.io/v1beta1';
      const { code } = await post(
        'SubjectAccessReview',
        `/apis/${beta}/subjectaccessreviews`,
        { spec },
        alice,
        beta,
      );
      expect(code).to.equal(201);
      expect(questions[0]?.user.groups).to.deep.equal(['g']);
    });

    it('refuses a review of nobody', async () => {
      const spec = { resourceAttributes: { verb: 'get' } };
      const { body } = await post('SubjectAccessReview', path, { spec });
      expect(body.message).to.equal(
        '.authorization.orch.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
      );
    });
  });

  describe('localsubjectaccessreviews', () => {
    const path = `/apis/${authorization}/namespaces/n/localsubjectaccessreviews`;
    const ask = (metadata: object, spec: object) =>
      post('LocalSubjectAccessReview', path, { metadata, spec: { user: 'alice', ...spec } });

    it('asks within its namespace', async () => {
      const resourceAttributes = { namespace: 'n', verb: 'get', resource: 'pods' };
      const { code } = await ask({ namespace: 'n' }, { resourceAttributes });
      expect(code).to.equal(201);
      expect(questions[0]?.request.namespace).to.equal('n');
    });

    const refused: readonly (readonly [object, object, string])[] = [
      [
        {},
        { resourceAttributes: { namespace: 'n' } },
        '.authorization.orch.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "n": must match metadata.namespace',
      ],
      [
        { namespace: 'm' },
        { resourceAttributes: { namespace: 'm' } },
        'spec.resourceAttributes.namespace must match namespace: n',
      ],
      [
        { namespace: 'n' },
        { nonResourceAttributes: { path: '/', verb: 'get' } },
        '.authorization.orch.io "" is invalid: spec.nonResourceAttributes: Invalid value: authorization.NonResourceAttributes{Path:"/", Verb:"get"}: disallowed on this kind of request',
      ],
    ];
    for (const [metadata, spec, message] of refused) {
      it(`refuses with: ${message}`, async () => {
        expect((await ask(metadata, spec)).body.message).to.equal(message);
      });
    }
  });

  describe('selfsubjectrulesreviews', () => {
    const path = `/apis/${authorization}/selfsubjectrulesreviews`;
    const ask = (spec: object) => post('SelfSubjectRulesReview', path, { spec });

    it('says when it does not know all rules', async () => {
      const { body } = await ask({ namespace: 'n' });
      expect(body.spec).to.deep.equal({});
      expect(body.status).to.deep.equal({
        resourceRules: [],
        nonResourceRules: [],
        incomplete: true,
        evaluationError: 'not told',
      });
    });

    it('lists what all resolvers know', async () => {
      const broken: RuleResolver = {
        rulesFor: ({ name }, namespace) => ({
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: [`${name}-${namespace}`] }],
          nonResourceRules: [],
          isIncomplete: false,
          evaluationError: 'one role is missing',
        }),
      };
      rules = chainRuleResolvers([everyRule, broken]);
      const { body } = await ask({ namespace: 'n' });
      expect(body.status).to.deep.equal({
        resourceRules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
          { verbs: ['get'], apiGroups: [''], resources: ['alice-n'] },
        ],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
        incomplete: false,
        evaluationError: 'one role is missing',
      });
    });

    it('refuses a review without a namespace', async () => {
      expect((await ask({})).body).to.include({ code: 400, message: 'no namespace on request' });
    });
  });

  describe('tokenreviews', () => {
    const path = `/apis/${authentication}/tokenreviews`;
    const ask = (spec: object) => post('TokenReview', path, { spec }, alice, authentication);

    it('knows tokens of the token file', async () => {
      const { code, body } = await ask({ token: 'usertoken' });
      expect(code).to.equal(201);
      expect(body).to.deep.equal({
        kind: 'TokenReview',
        apiVersion: authentication,
        metadata: {
          creationTimestamp: null,
          managedFields: owners(authentication, { 'f:token': {} }),
        },
        spec: { token: 'usertoken' },
        status: {
          authenticated: true,
          user: { username: 'alice', uid: 'alice-uid', groups: ['devs', 'testers', 'system:authenticated'] },
          audiences,
        },
      });
    });

    it('knows service account tokens, for any audience', async () => {
      const { token } = await tokens.makeIssuer().issue({ ...order, audiences: ['vault', 'other'] });
      const { body } = await ask({ token, audiences: ['vault'] });
      expect(body.status).to.deep.equal({
        authenticated: true,
        user: {
          username: 'system:serviceaccount:n:sa',
          uid: 'sa-uid',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
        },
        audiences: ['vault'],
      });
      expect((await ask({ token })).body.status.error).to.contain('is invalid for the target audiences');
    });

    it('says what is wrong with a token that it made', async () => {
      const { token } = await tokens.makeIssuer().issue(order);
      tokens.objects.clear();
      expect((await ask({ token })).body.status).to.deep.equal({
        user: {},
        error: '[invalid bearer token, serviceaccounts "sa" not found]',
      });
    });

    it('knows nothing of other tokens, nor of its own for other audiences', async () => {
      const unknown = { user: {}, error: 'invalid bearer token' };
      expect((await ask({ token: 'nonsense' })).body.status).to.deep.equal(unknown);
      expect((await ask({ token: 'usertoken', audiences: ['vault'] })).body.status).to.deep.equal(unknown);
    });

    it('leaves alone what it has nothing to say of', async () => {
      const ask = (token: string) => {
        const status = { user: { username: 'x' }, error: 'old' };
        return post('TokenReview', path, { spec: { token }, status }, alice, authentication);
      };
      const unknown = { user: { username: 'x' }, error: 'invalid bearer token' };
      expect((await ask('nonsense')).body.status).to.deep.equal(unknown);
      expect((await ask('usertoken')).body.status).to.include({ authenticated: true, error: 'old' });
    });

    it('says why each of those who were asked refused a token', async () => {
      expect((await ask({ token: 'broken' })).body.status).to.deep.equal({
        user: {},
        error: '[invalid bearer token, no answer]',
      });
    });

    it('takes spaces for no token, and reads no further than them', async () => {
      expect((await ask({ token: '  ', audiences: ['x'] })).body.status).to.deep.equal({
        authenticated: true,
        user: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
        audiences: ['x'],
      });
      expect((await ask({ token: ' usertoken more' })).body.status.error).to.equal(undefined);
    });

    it('refuses a review without a token', async () => {
      const message = 'token is required for TokenReview in authentication';
      expect((await ask({ token: '' })).body).to.include({ code: 400, message });
    });
  });

  describe('componentstatuses', () => {
    const path = '/api/v1/componentstatuses';
    const schedulerMessage =
      'Get "http://127.0.0.1:10251/healthz": dial tcp 127.0.0.1:10251: connect: connection refused';

    it('lists the parts of the control plane', async () => {
      const { body, headers } = await bench.send('GET', path);
      const item = (name: string, status: string, message: string) => ({
        metadata: { name, creationTimestamp: null },
        conditions: [{ type: 'Healthy', status, message }],
      });
      expect(body).to.deep.equal({
        kind: 'ComponentStatusList',
        apiVersion: 'v1',
        metadata: {},
        items: [
          item('controller-manager', 'True', 'ok'),
          item('scheduler', 'False', schedulerMessage),
          item('etcd-0', 'True', '{"health":"true"}'),
        ],
      });
      expect(headers.Warning).to.deep.equal(['299 - "v1 ComponentStatus is deprecated in v1.19+"']);
    });

    it('shows one part', async () => {
      const { body } = await bench.send('GET', `${path}/etcd-0`);
      expect(body.kind).to.equal('ComponentStatus');
      expect(body.metadata.name).to.equal('etcd-0');
      const missing = await bench.send('GET', `${path}/nothing`);
      expect(missing.body).to.include({ code: 500, message: 'Component not found: nothing' });
    });

    it('selects by name', async () => {
      const { body } = await bench.send('GET', `${path}?fieldSelector=metadata.name%3Dscheduler`);
      expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).to.deep.equal([
        'scheduler',
      ]);
    });

    it('shows them as a table', async () => {
      const accept = 'application/json;as=Table;g=meta.orch.io;v=v1';
      const { body } = await bench.send('GET', path, { accept });
      expect(body.kind).to.equal('Table');
      const cells = body.rows.map((row: { cells: unknown[] }) => row.cells);
      expect(cells[1]).to.deep.equal(['scheduler', 'Unhealthy', schedulerMessage, '']);
      expect(body.rows[0].object.kind).to.equal('PartialObjectMetadata');
    });

    it('sees storage that does not answer', async () => {
      await bench.storage[Symbol.asyncDispose]();
      const { body } = await bench.send('GET', `${path}/etcd-0`);
      expect(body.conditions[0].status).to.equal('False');
    });
  });

  it('cannot be read, only asked', async () => {
    const path = `/apis/${authorization}/subjectaccessreviews`;
    expect((await bench.send('GET', path)).code).to.equal(405);
    expect((await bench.send('GET', `${path}/x`)).code).to.equal(404);
    expect((await bench.send('DELETE', `/apis/${authentication}/tokenreviews/x`)).code).to.equal(404);
  });

  it('binds pods through the collection of bindings', async () => {
    const pods = '/api/v1/namespaces/n/pods';
    const spec = { containers: [{ name: 'c', image: 'nginx:1.19' }] };
    await bench.send('POST', pods, {
      body: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'p' }, spec },
    });
    const target = { kind: 'Node', name: 'node-1' };
    const body = { kind: 'Binding', apiVersion: 'v1', metadata: { name: 'p' }, target };
    expect((await bench.send('POST', '/api/v1/namespaces/n/bindings', { body })).code).to.equal(201);
    expect((await bench.send('GET', `${pods}/p`)).body.spec.nodeName).to.equal('node-1');
  });
});
