import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../../support/api-client.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { startTestServer, type TestServer, tokens } from '../../../support/test-server.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

const registration = '/apis/admissionregistration.orch.io/v1';
const rbac = '/apis/rbac.authorization.orch.io/v1';
const flag = '--runtime-config=admissionregistration.orch.io/v1/validatingadmissionpolicies';
const maps = '/api/v1/namespaces/default/configmaps';
const rule = {
  operations: ['CREATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

/** Binds a policy about new config maps. */
async function bind(admin: ApiClient, spec: JsonObject): Promise<void> {
  await admin.create(`${registration}/validatingadmissionpolicies`, {
    metadata: { name: 'asks' },
    spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
  });
  await admin.create(`${registration}/validatingadmissionpolicybindings`, {
    metadata: { name: 'asks' },
    spec: { policyName: 'asks', validationActions: ['Deny'] },
  });
}

describe('policies that ask what users may do', () => {
  let server: TestServer;
  let admin: ApiClient;
  beforeEach(async () => {
    server = await startTestServer({ flags: [flag] });
    admin = server.admin;
    await admin.create(`${rbac}/clusterroles`, {
      metadata: { name: 'writer' },
      rules: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['create'] },
        { apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['web'], verbs: ['update'] },
        { nonResourceURLs: ['/special'], verbs: ['get'] },
      ],
    });
    for (const [name, subject] of Object.entries({
      alice: { kind: 'User', name: 'alice' },
      robot: { kind: 'ServiceAccount', name: 'robot', namespace: 'default' },
    })) {
      await admin.create(`${rbac}/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'writer' },
        subjects: [subject],
      });
    }
  });
  afterEach(() => server.stop());

  const questions: readonly (readonly [expression: string, answer: string])[] = [
    ["authorizer.path('/special').check('get').allowed()", 'true'],
    ["authorizer.path('/other').check('get').allowed()", 'false'],
    ["authorizer.group('').resource('configmaps').namespace('default').check('create').allowed()", 'true'],
    ["authorizer.group('').resource('secrets').namespace('default').check('create').allowed()", 'false'],
    [
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('x').name('web').check('update').allowed()",
      'true',
    ],
    [
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('x').name('db').check('update').allowed()",
      'false',
    ],
    ["authorizer.requestResource.check('create').allowed()", 'true'],
    ["authorizer.requestResource.check('delete').allowed()", 'false'],
    ["authorizer.requestResource.check('create').errored()", 'false'],
    ["authorizer.requestResource.check('create').error()", ''],
    [
      "authorizer.requestResource.check('create').reason()",
      'RBAC: allowed by ClusterRoleBinding "alice" of ClusterRole "writer" to User "alice"',
    ],
  ];
  it('get its decisions and reasons', async () => {
    const variables = questions.map(([expression], at) => ({ name: `v${at}`, expression }));
    await bind(admin, {
      variables,
      validations: questions.map((_, at) => ({
        expression: `object.data.at != "${at}" || string(variables.v${at}) == object.data.want`,
        message: `${at}`,
      })),
    });
    const alice = server.withToken(tokens.alice);
    for (const [at, [expression, want]] of questions.entries()) {
      const body = { metadata: { name: `m${at}` }, data: { at: String(at), want } };
      const answer = await alice.send('POST', maps, { body });
      expect([expression, answer.code]).to.deep.equal([expression, 201]);
      const other = { metadata: { name: `o${at}` }, data: { at: String(at), want: 'something else' } };
      expect((await alice.send('POST', maps, { body: other })).code, expression).to.equal(422);
    }
  });

  it('ask about service accounts', async () => {
    const ask = (namespace: string, name: string) =>
      `authorizer.serviceAccount('${namespace}', '${name}').group('').resource('configmaps').check('create').allowed()`;
    await bind(admin, {
      validations: [
        { expression: ask('default', 'robot'), message: 'robot' },
        { expression: `!${ask('default', 'other')}`, message: 'other' },
        { expression: 'object.metadata.name != "bad" || '.concat(ask('Default', 'robot')) },
      ],
    });
    const post = (name: string) => admin.send('POST', maps, { body: { metadata: { name } } });
    expect((await post('good')).code).to.equal(201);
    expect((await post('bad')).body.message).to.match(
      /resulted in error: Invalid service account namespace$/,
    );
  });

  it('may ask twice in an expression', async () => {
    const check = "authorizer.requestResource.check('create').allowed()";
    await bind(admin, {
      validations: [
        { expression: `${check} && ${check}` },
        { expression: `object.metadata.name != "thrice" || (${[check, check, check].join(' && ')})` },
      ],
    });
    const post = (name: string) => admin.send('POST', maps, { body: { metadata: { name } } });
    expect((await post('twice')).code).to.equal(201);
    expect((await post('thrice')).body.message).to.match(/actual cost limit exceeded$/);
  });

  it('do not in messages', async () => {
    const { body } = await admin.send('POST', `${registration}/validatingadmissionpolicies`, {
      body: {
        metadata: { name: 'asks' },
        spec: {
          matchConstraints: { resourceRules: [rule] },
          validations: [
            { expression: 'true', messageExpression: "authorizer.requestResource.check('x').reason()" },
            { expression: "authorizer.path('')", message: 'x' },
          ],
        },
      },
    });
    expect(body.message)
      .to.contain("undeclared reference to 'authorizer'")
      .and.to.contain('must evaluate to bool');
  });
});

describe('policies that ask a webhook what users may do', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  it('wait for it, and ask it once', async () => {
    await using webhook = await WebhookServer.start((call, response) => {
      const { spec, ...review } = JSON.parse(call.body);
      const isAsked = spec.resourceAttributes?.verb === 'sign' && spec.resourceAttributes.name === 'good';
      const status = { allowed: isAsked, reason: isAsked ? 'it is good' : 'it is not' };
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ...review, status }));
    });
    const file = join(directory.path, 'webhook.conf');
    const cluster = { server: webhook.url, 'certificate-authority-data': webhook.caBundle };
    await writeFile(
      file,
      JSON.stringify({
        clusters: [{ name: 'c', cluster }],
        users: [{ name: 'u', user: {} }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
        'current-context': 'x',
      }),
    );
    const modes = ['--authorization-mode=RBAC,Webhook', `--authorization-webhook-config-file=${file}`];
    const server = await startTestServer({ flags: [flag, ...modes] });
    try {
      const { admin } = server;
      await admin.create(`${rbac}/clusterrolebindings`, {
        metadata: { name: 'alice' },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'edit' },
        subjects: [{ kind: 'User', name: 'alice' }],
      });
      await admin.create(`${rbac}/clusterroles`, {
        metadata: { name: 'maps' },
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }],
      });
      await admin.create(`${rbac}/clusterrolebindings`, {
        metadata: { name: 'alice-maps' },
        roleRef: { apiGroup: 'rbac.authorization.orch.io', kind: 'ClusterRole', name: 'maps' },
        subjects: [{ kind: 'User', name: 'alice' }],
      });
      const decision =
        "authorizer.group('sign.io').resource('keys').name(object.metadata.name).check('sign')";
      await bind(admin, {
        variables: [{ name: 'decision', expression: decision }],
        validations: [
          {
            expression: 'variables.decision.allowed()',
            messageExpression: '"refused: " + variables.decision.reason()',
          },
          { expression: 'variables.decision.reason() == "it is good"', message: 'no reason' },
        ],
      });
      const alice = server.withToken(tokens.alice);
      expect((await alice.send('POST', maps, { body: { metadata: { name: 'good' } } })).code).to.equal(201);
      expect(webhook.calls).to.have.length(1);
      const { body } = await alice.send('POST', maps, { body: { metadata: { name: 'bad' } } });
      expect(body.message).to.match(/denied request: refused: it is not$/);
    } finally {
      await server.stop();
    }
  });
});
