import { expect } from 'chai';
import type { ApiClient } from '../../../support/api-client.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';
import {
  configurationsPath,
  type ReviewResponse,
  requestOf,
  reviewAnswer,
  webhookConfiguration,
} from '../../../support/webhook-configurations.ts';
import { type ReceivedCall, WebhookServer } from '../../../support/webhook-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = (name: string, more: object = {}) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data: { a: '1' },
  ...more,
});
const mergePatch = 'application/merge-patch+json';

describe('admission webhooks', () => {
  let server: TestServer;
  let admin: ApiClient;
  let hooks: WebhookServer;
  /** What a path answers; allowed when left out. */
  let responses: Record<string, (call: ReceivedCall) => ReviewResponse>;

  before(async () => {
    server = await startTestServer();
    admin = server.admin;
    hooks = await WebhookServer.start((call, response) => {
      const respond = responses[call.url.split('?')[0] ?? ''];
      response.end(reviewAnswer(call, respond?.(call) ?? { allowed: true }));
    });
  });
  after(async () => {
    await server.stop();
    await hooks[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    responses = {};
    hooks.calls.length = 0;
  });
  afterEach(async () => {
    for (const kind of ['Mutating', 'Validating'] as const)
      await admin.expect('DELETE', configurationsPath(kind));
    await admin.expect('DELETE', configMaps);
  });

  const configure = (
    webhooks: Parameters<typeof webhookConfiguration>[2],
    given: Parameters<typeof webhookConfiguration>[0] = {},
  ) => {
    const { kind = 'Mutating', version = 'v1' } = given;
    return admin.create(configurationsPath(kind, version), webhookConfiguration(given, hooks, webhooks));
  };
  const requests = () => hooks.calls.map(requestOf);
  const paths = () => hooks.calls.map(({ url }) => url.split('?')[0]);

  for (const version of ['v1', 'v1beta1']) {
    it(`are told of a creation, by a review of ${version}`, async () => {
      await configure([{ admissionReviewVersions: [version] }]);
      await server.withToken(tokens.alice).send('POST', configMaps, { body: configMap('refused') });
      expect(hooks.calls, 'without permission').to.have.length(0);
      await admin.create(`${configMaps}?fieldManager=me`, configMap('a'));
      const [call] = hooks.calls;
      expect(call?.url).to.equal('/?timeout=10s');
      const review = JSON.parse(call?.body ?? '');
      expect([review.kind, review.apiVersion]).to.deep.equal([
        'AdmissionReview',
        `admission.orch.io/${version}`,
      ]);
      const { uid, userInfo, object, ...rest } = review.request;
      expect(uid).to.match(/^[0-9a-f-]{36}$/);
      expect(userInfo.groups).to.include('system:masters');
      const { managedFields, ...metadata } = object.metadata;
      expect(managedFields[0].manager).to.equal('me');
      expect({ ...object, metadata }).to.deep.equal({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'a', creationTimestamp: null },
        data: { a: '1' },
      });
      const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
      const resource = { group: '', version: 'v1', resource: 'configmaps' };
      expect(rest).to.deep.equal({
        kind,
        resource,
        requestKind: kind,
        requestResource: resource,
        name: 'a',
        namespace: 'default',
        operation: 'CREATE',
        oldObject: null,
        dryRun: false,
        options: { kind: 'CreateOptions', apiVersion: 'meta.orch.io/v1', fieldManager: 'me' },
      });
    });
  }

  it('see the object before and after an update, and what is deleted', async () => {
    await configure([{}], { kind: 'Validating' });
    await admin.create(configMaps, configMap('a'));
    await admin.expect('PATCH', `${configMaps}/a`, { body: { data: { a: '2' } }, contentType: mergePatch });
    await admin.expect('DELETE', `${configMaps}/a?propagationPolicy=Background`);
    await admin.create(configMaps, configMap('b'));
    await admin.expect('DELETE', `${configMaps}?dryRun=All`);
    const seen = requests().map(({ operation, name = '', object, oldObject, dryRun, options }) => [
      operation,
      name,
      object?.data?.a,
      oldObject?.data?.a,
      dryRun,
      options,
    ]);
    const options = (kind: string, more: object = {}) => ({ kind, apiVersion: 'meta.orch.io/v1', ...more });
    expect(seen).to.deep.equal([
      ['CREATE', 'a', '1', undefined, false, options('CreateOptions')],
      ['UPDATE', 'a', '2', '1', false, options('UpdateOptions')],
      ['DELETE', 'a', undefined, '2', false, options('DeleteOptions', { propagationPolicy: 'Background' })],
      ['CREATE', 'b', '1', undefined, false, options('CreateOptions')],
      ['DELETE', '', undefined, '1', true, options('DeleteOptions', { dryRun: ['All'] })],
    ]);
  });

  it('change what is stored, and see what those before them changed', async () => {
    responses['/a'] = () => ({
      allowed: true,
      patch: [{ op: 'add', path: '/metadata/labels', value: { from: 'a' } }],
    });
    responses['/b'] = () => ({ allowed: true, patch: [{ op: 'add', path: '/data/b', value: '2' }] });
    await configure([{ path: '/b', objectSelector: { matchLabels: { from: 'a' } } }], { name: 'second' });
    await configure([{ path: '/a' }], { name: 'first' });
    const { data, metadata } = await admin.create(configMaps, configMap('a'));
    expect(paths()).to.deep.equal(['/a', '/b']);
    expect({ data, labels: metadata.labels }).to.deep.equal({
      data: { a: '1', b: '2' },
      labels: { from: 'a' },
    });
    expect((await admin.get(`${configMaps}/a`)).body.data).to.deep.equal(data);
  });

  it('refuse with their own status, in which their name stands', async () => {
    const status = { message: 'no', reason: 'Odd', code: 418, details: { retryAfterSeconds: 3 } };
    responses['/'] = () => ({ allowed: false, status, warnings: ['mind "this"', 'two\nlines'] });
    await configure([{}], { kind: 'Validating' });
    const { code, body, headers } = await admin.send('POST', configMaps, { body: configMap('a') });
    expect(code).to.equal(418);
    expect(headers['retry-after']).to.equal('3');
    expect(headers.warning).to.equal('299 - "mind \\"this\\""');
    expect(body).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'admission webhook "hook0.example.com" denied the request: no',
      reason: 'Odd',
      details: { retryAfterSeconds: 3 },
      code: 418,
    });
    expect((await admin.get(`${configMaps}/a`)).code).to.equal(404);
  });

  it('are asked at the same time when they validate', async () => {
    const waiting: (() => void)[] = [];
    const { answer } = hooks;
    hooks.answer = (call, response) => {
      waiting.push(() => response.end(reviewAnswer(call, { allowed: true })));
      // Nobody is answered before all were asked.
      if (waiting.length === 3) for (const respond of waiting) respond();
    };
    try {
      await configure([{}, {}, {}], { kind: 'Validating' });
      await admin.create(configMaps, configMap('a'));
    } finally {
      hooks.answer = answer;
    }
    expect(hooks.calls).to.have.length(3);
  });

  it('count from the next request on, and no longer once they are removed', async () => {
    await configure([{}]);
    await admin.create(configMaps, configMap('a'));
    await admin.expect('DELETE', `${configurationsPath('Mutating')}/hooks`);
    await admin.create(configMaps, configMap('b'));
    expect(requests().map(({ name }) => name)).to.deep.equal(['a']);
  });

  it('are not asked about their own configurations', async () => {
    responses['/'] = () => ({ allowed: false });
    const rules = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] }];
    await configure([{ rules }]);
    await configure([{ rules }], { kind: 'Validating' });
    await admin.expect('DELETE', `${configurationsPath('Mutating')}/hooks`);
    expect(hooks.calls).to.have.length(0);
  });

  it('are not asked about a dry run when they say that it would have effects', async () => {
    await configure([{ sideEffects: 'Some' }], { version: 'v1beta1' });
    const { code, body } = await admin.send('POST', `${configMaps}?dryRun=All`, { body: configMap('a') });
    expect([code, body.message, hooks.calls.length]).to.deep.equal([
      400,
      'admission webhook "hook0.example.com" does not support dry run',
      0,
    ]);
    await admin.create(configMaps, configMap('a'));
    expect(hooks.calls).to.have.length(1);
  });

  it('are asked again when they want that, once, after others have changed the object', async () => {
    let times = 0;
    responses['/a'] = () => ({ allowed: true });
    responses['/b'] = () => {
      times++;
      return { allowed: true, patch: [{ op: 'add', path: '/data/b', value: String(times) }] };
    };
    await configure([
      { path: '/a', reinvocationPolicy: 'IfNeeded' },
      { path: '/never' },
      { path: '/b', reinvocationPolicy: 'IfNeeded' },
    ]);
    const { data } = await admin.create(configMaps, configMap('a'));
    expect(paths()).to.deep.equal(['/a', '/never', '/b', '/a']);
    expect(data.b).to.equal('1');
  });

  it('count their first patch as a change where a request takes fields, whatever the patch says', async () => {
    responses['/b'] = () => ({ allowed: true, patch: [{ op: 'add', path: '/data/b', value: 'x' }] });
    const created = await admin.create(configMaps, configMap('a', { data: { a: '1', b: 'x', c: 'z' } }));
    await configure([{ path: '/a', reinvocationPolicy: 'IfNeeded' }, { path: '/b' }]);
    const path = `${configMaps}/a`;
    const patched = async (data: object) => {
      hooks.calls.length = 0;
      await admin.expect('PATCH', path, { body: { data }, contentType: mergePatch });
      return paths();
    };
    expect(created.metadata.managedFields).to.have.length(1);
    expect(await patched({ a: '2' }), 'sets a field').to.deep.equal(['/a', '/b', '/a']);
    expect(await patched({ d: '2' }), 'adds a field').to.deep.equal(['/a', '/b', '/a']);
    expect(await patched({ a: '2' }), 'changes nothing').to.deep.equal(['/a', '/b']);
    responses['/b'] = () => ({ allowed: true, patch: [] });
    expect(await patched({ a: '3' }), 'has no patch').to.deep.equal(['/a', '/b']);
  });

  it('are counted', async () => {
    responses['/'] = () => ({ allowed: false, status: { code: 418 } });
    const counted = async () => {
      const { text } = await admin.get('/metrics');
      const count = (name: string, labels: string): number =>
        Number(text.match(new RegExp(`^${name}\\{${labels}\\} (\\d+)$`, 'm'))?.[1] ?? 0);
      const rest = 'operation="CREATE",rejected="true"';
      return [
        count(
          'apiserver_admission_webhook_rejection_count',
          'error_type="no_error",name="hook0.example.com",operation="CREATE",rejection_code="418",type="validating"',
        ),
        count(
          'apiserver_admission_webhook_admission_duration_seconds_count',
          `name="hook0.example.com",${rest},type="validating"`,
        ),
        count('apiserver_admission_step_admission_duration_seconds_count', `${rest},type="validate"`),
      ];
    };
    await configure([{}], { kind: 'Validating' });
    const before = await counted();
    expect((await admin.send('POST', configMaps, { body: configMap('a') })).code).to.equal(418);
    expect(await counted()).to.deep.equal(before.map((count) => count + 1));
  });

  it('see a request in the version that their rules name, where they match equivalents', async () => {
    const rules = [
      { operations: ['*'], apiGroups: ['extensions'], apiVersions: ['v1beta1'], resources: ['ingresses'] },
    ];
    responses['/'] = () => ({
      allowed: true,
      patch: [{ op: 'replace', path: '/spec/rules/0/http/paths/0/backend/serviceName', value: 'other' }],
    });
    await configure([{ rules, matchPolicy: 'Equivalent' }], { name: 'equivalent' });
    await configure([{ rules, matchPolicy: 'Exact', path: '/exact' }], { name: 'exact' });
    const backend = { service: { name: 's', port: { number: 80 } } };
    const path = '/apis/networking.orch.io/v1/namespaces/default/ingresses';
    const { spec } = await admin.create(path, {
      kind: 'Ingress',
      apiVersion: 'networking.orch.io/v1',
      metadata: { name: 'i' },
      spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }] },
    });
    await admin.expect('DELETE', `${path}/i`).catch(() => {});
    expect(spec.rules[0].http.paths[0].backend.service.name).to.equal('other');
    const [created] = requests();
    expect(created?.kind).to.deep.equal({ group: 'extensions', version: 'v1beta1', kind: 'Ingress' });
    expect(created?.requestResource.group).to.equal('networking.orch.io');
    expect(created?.object?.apiVersion).to.equal('extensions/v1beta1');
    expect(new Set(paths())).to.deep.equal(new Set(['/']));
  });
});
