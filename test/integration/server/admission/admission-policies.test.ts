import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../../support/api-client.ts';
import { establish, openVersion, widget, widgetDefinition } from '../../../support/definitions.ts';
import { eventually } from '../../../support/eventually.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { startTestServer, type TestServer } from '../../../support/test-server.ts';

const registration = '/apis/admissionregistration.orch.io/v1';
const policies = `${registration}/validatingadmissionpolicies`;
const bindings = `${registration}/validatingadmissionpolicybindings`;
const flag = '--runtime-config=admissionregistration.orch.io/v1/validatingadmissionpolicies';
const configMaps = '/api/v1/namespaces/default/configmaps';

const configMap = (name: string, data: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, labels },
  data,
});
const configMapRule = {
  operations: ['CREATE', 'UPDATE'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['configmaps'],
};

function policyOf(name: string, spec: JsonObject): JsonObject {
  return {
    kind: 'ValidatingAdmissionPolicy',
    apiVersion: 'admissionregistration.orch.io/v1',
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [configMapRule] }, ...spec },
  };
}

function bindingOf(policyName: string, spec: JsonObject = {}, name = `${policyName}-binding`): JsonObject {
  return {
    kind: 'ValidatingAdmissionPolicyBinding',
    apiVersion: 'admissionregistration.orch.io/v1',
    metadata: { name },
    spec: { policyName, validationActions: ['Deny'], ...spec },
  };
}

describe('validating admission policies', () => {
  let directory: TemporaryDirectory;
  let logPath: string;
  let server: TestServer;
  let admin: ApiClient;

  before(async () => {
    directory = await makeTemporaryDirectory();
    logPath = join(directory.path, 'audit.log');
    const policyPath = join(directory.path, 'audit.yaml');
    await writeFile(policyPath, 'apiVersion: audit.orch.io/v1\nkind: Policy\nrules:\n- level: Metadata\n');
    const flags = [flag, `--audit-log-path=${logPath}`, `--audit-policy-file=${policyPath}`];
    server = await startTestServer({ flags });
    admin = server.admin;
  });
  after(async () => {
    await server.stop();
    await directory.remove();
  });
  afterEach(async () => {
    await admin.expect('DELETE', bindings);
    await admin.expect('DELETE', policies);
    await admin.expect('DELETE', configMaps);
  });

  const bind = async (name: string, spec: JsonObject, bound: JsonObject = {}): Promise<void> => {
    await admin.create(policies, policyOf(name, spec));
    await admin.create(bindings, bindingOf(name, bound));
  };
  const post = (object: JsonObject) => admin.send('POST', configMaps, { body: object });
  const codes = async (...objects: JsonObject[]): Promise<number[]> => {
    const answers: number[] = [];
    for (const object of objects) answers.push((await post(object)).code);
    return answers;
  };

  it('refuse what does not hold, in the words of the policy', async () => {
    await bind('few', {
      validations: [
        { expression: 'size(object.data) <= 2' },
        { expression: "!('secret' in object.data)", message: 'no secrets' },
      ],
    });
    expect((await post(configMap('a', { a: '1' }))).code).to.equal(201);
    const refused = await post(configMap('b', { a: '1', b: '2', secret: '3' }));
    const text =
      "ValidatingAdmissionPolicy 'few' with binding 'few-binding' denied request: failed expression: size(object.data) <= 2";
    expect(refused.body).to.deep.equal({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `configmaps "b" is forbidden: ${text}`,
      reason: 'Invalid',
      details: { name: 'b', kind: 'configmaps', causes: [{ message: text }] },
      code: 422,
    });
    expect((await post(configMap('c', { secret: '3' }))).body.message).to.match(
      /denied request: no secrets$/,
    );
  });

  it('count from the next request on, and no longer when they are gone', async () => {
    expect((await post(configMap('a'))).code).to.equal(201);
    await admin.create(policies, policyOf('none', { validations: [{ expression: 'false' }] }));
    expect((await post(configMap('b'))).code, 'without a binding').to.equal(201);
    await admin.create(bindings, bindingOf('none'));
    expect((await post(configMap('c'))).code).to.equal(422);
    await admin.expect('PATCH', `${policies}/none`, {
      contentType: 'application/merge-patch+json',
      body: { spec: { validations: [{ expression: 'object.metadata.name == "d"' }] } },
    });
    expect(await codes(configMap('c'), configMap('d'))).to.deep.equal([422, 201]);
    await admin.expect('DELETE', `${bindings}/none-binding`);
    expect((await post(configMap('c'))).code).to.equal(201);
  });

  it('see the old object, the request, its namespace and variables', async () => {
    await admin.expect('PATCH', '/api/v1/namespaces/default', {
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { stage: 'test' } } },
    });
    const seen = [
      'request.operation',
      'request.kind.kind',
      'request.resource.resource',
      'request.namespace',
      'request.name',
      'string(request.dryRun)',
      'string("system:masters" in request.userInfo.groups)',
      'namespaceObject.metadata.labels.stage',
      'string(variables.total)',
      'oldObject == null ? "new" : oldObject.data.a',
      'request.options.kind',
    ];
    await bind('all', {
      variables: [
        { name: 'count', expression: 'size(object.data)' },
        { name: 'total', expression: 'variables.count + 1' },
        { name: 'broken', expression: 'object.nothing.here' },
      ],
      validations: [
        { expression: 'false', messageExpression: `[${seen.join(', ')}].join(" ")`, reason: 'Forbidden' },
      ],
      matchConditions: [
        { name: 'marked', expression: 'has(object.metadata.labels) && has(object.metadata.labels.marked)' },
      ],
    });
    await admin.create(configMaps, configMap('a', { a: 'old' }));
    const created = await post(configMap('b', { a: '1' }, { marked: 'yes' }));
    const prefix =
      "is forbidden: ValidatingAdmissionPolicy 'all' with binding 'all-binding' denied request: ";
    expect([created.code, created.body.reason, created.body.message]).to.deep.equal([
      403,
      'Forbidden',
      `configmaps "b" ${prefix}CREATE ConfigMap configmaps default b false true test 2 new CreateOptions`,
    ]);
    const changed = await admin.send('PUT', `${configMaps}/a?dryRun=All`, {
      body: configMap('a', { a: '1' }, { marked: 'yes' }),
    });
    expect(changed.body.message).to.equal(
      `configmaps "a" ${prefix}UPDATE ConfigMap configmaps default a true true test 2 old UpdateOptions`,
    );
  });

  it('are about the requests that match', async () => {
    await bind(
      'never',
      {
        matchConstraints: {
          resourceRules: [{ ...configMapRule, resourceNames: ['a', 'b', 'c', 'd'] }],
          excludeResourceRules: [{ ...configMapRule, resourceNames: ['b'] }],
          objectSelector: { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] },
        },
        validations: [{ expression: 'false' }],
      },
      { matchResources: { namespaceSelector: { matchLabels: { stage: 'test' } } } },
    );
    await admin.expect('PATCH', '/api/v1/namespaces/default', {
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { stage: 'test' } } },
    });
    expect(
      await codes(configMap('a'), configMap('b'), configMap('c', {}, { free: 'yes' }), configMap('e')),
    ).to.deep.equal([422, 201, 201, 201]);
    expect(
      (await admin.send('POST', '/api/v1/namespaces/orch-public/configmaps', { body: configMap('a') })).code,
    ).to.equal(201);
    await admin.expect('DELETE', '/api/v1/namespaces/orch-public/configmaps/a');
  });

  it('warn, and tell the audit log', async () => {
    await bind(
      'soft',
      {
        validations: [{ expression: 'object.metadata.name != "a"', message: 'bad name' }],
        auditAnnotations: [
          { key: 'size', valueExpression: '"entries: " + string(size(object.data))' },
          { key: 'nothing', valueExpression: 'null' },
        ],
      },
      { validationActions: ['Warn', 'Audit'] },
    );
    const { code, headers } = await post(configMap('a', { a: '1' }));
    const text =
      "Validation failed for ValidatingAdmissionPolicy 'soft' with binding 'soft-binding': bad name";
    expect([code, headers.warning]).to.deep.equal([201, `299 - "${text}"`]);
    const event = await eventually(async () => {
      const lines = (await readFile(logPath, 'utf8'))
        .trim()
        .split('\n')
        .map((line): JsonObject => JSON.parse(line));
      return lines.find(
        ({ auditID, stage }) => auditID === headers['audit-id'] && stage === 'ResponseComplete',
      );
    });
    expect(event?.annotations['soft/size']).to.equal('entries: 1');
    expect(event?.annotations).not.to.have.property('soft/nothing');
    expect(
      JSON.parse(event?.annotations['validation.policy.admission.orch.io/validation_failure']),
    ).to.deep.equal([
      {
        message: 'bad name',
        policy: 'soft',
        binding: 'soft-binding',
        expressionIndex: 0,
        validationActions: ['Warn', 'Audit'],
      },
    ]);
  });

  it('follow their failure policy where something cannot be looked at', async () => {
    const validations = [{ expression: 'object.data.missing == "x"' }];
    await bind('strict', { validations });
    expect((await post(configMap('a', { a: '1' }))).body.message).to.match(
      /denied request: expression 'object\.data\.missing == "x"' resulted in error: no such key: missing$/,
    );
    await admin.expect('DELETE', `${policies}/strict`);
    await bind('lax', { validations, failurePolicy: 'Ignore' });
    expect((await post(configMap('a', { a: '1' }))).code).to.equal(201);
  });

  it('end before they hold up the server', async () => {
    const data = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`k${at}`, 'x']));
    await bind('costly', {
      validations: [{ expression: 'object.data.all(a, object.data.all(b, a != b || a == b))' }],
    });
    expect((await post(configMap('a', data))).body.message).to.match(
      /resulted in error: operation cancelled: actual cost limit exceeded$/,
    );
    expect((await post(configMap('b', { a: '1' }))).code).to.equal(201);
  });

  it('take parameters from objects', async () => {
    await admin.create(configMaps, configMap('limits', { max: '2' }, { limits: 'yes' }));
    const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
    await admin.create(
      policies,
      policyOf('limited', {
        paramKind,
        validations: [
          {
            expression: 'size(object.data) <= int(params.data.max)',
            messageExpression: '"at most " + params.data.max',
          },
        ],
      }),
    );
    const entries = { a: '1', b: '2', c: '3' };
    const outcomes: [JsonObject, RegExp | number][] = [
      [{ name: 'limits', parameterNotFoundAction: 'Deny' }, /denied request: at most 2$/],
      [
        { name: 'gone', parameterNotFoundAction: 'Deny' },
        /failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction$/,
      ],
      [{ name: 'gone', parameterNotFoundAction: 'Allow' }, 201],
      [
        {
          selector: { matchLabels: { limits: 'yes' } },
          namespace: 'default',
          parameterNotFoundAction: 'Allow',
        },
        /denied request: at most 2$/,
      ],
    ];
    for (const [index, [paramRef, outcome]] of outcomes.entries()) {
      await admin.create(bindings, bindingOf('limited', { paramRef }, `b${index}`));
      const { code, body } = await post(configMap(`new${index}`, entries));
      if (typeof outcome === 'number') expect(code).to.equal(outcome);
      else expect(body.message).to.match(outcome);
      await admin.expect('DELETE', `${bindings}/b${index}`);
    }
  });

  it('see custom resources, deletions and connections', async () => {
    await establish(
      admin,
      widgetDefinition('policy.example.com', {
        versions: [openVersion('v1', { served: true, storage: true })],
      }),
    );
    const rule = {
      operations: ['*'],
      apiGroups: ['policy.example.com'],
      apiVersions: ['*'],
      resources: ['widgets'],
    };
    await bind('widgets', {
      matchConstraints: { resourceRules: [rule] },
      validations: [
        { expression: "request.operation == 'DELETE' ? oldObject.spec.size < 3 : object.spec.size < 5" },
      ],
    });
    const path = '/apis/policy.example.com/v1/namespaces/default/widgets';
    const send = (name: string, size: number) =>
      admin.send('POST', path, { body: widget('policy.example.com', name, { spec: { size } }) });
    expect([(await send('a', 4)).code, (await send('b', 9)).code, (await send('c', 1)).code]).to.deep.equal([
      201, 422, 201,
    ]);
    expect((await admin.send('DELETE', `${path}/a`)).code).to.equal(422);
    expect((await admin.send('DELETE', `${path}/c`)).code).to.equal(200);
    await admin.expect('DELETE', `${bindings}/widgets-binding`);
  });

  it('have no say in themselves', async () => {
    const rule = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] };
    await bind('everything', {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: 'false' }],
    });
    expect((await post(configMap('a'))).code).to.equal(422);
    await admin.expect('DELETE', `${policies}/everything`);
    await admin.expect('DELETE', `${bindings}/everything-binding`);
  });

  it('are refused when they make no sense', async () => {
    const { code, body } = await admin.send('POST', policies, {
      body: policyOf('wrong', { validations: [{ expression: 'objec.data.size() > 0' }] }),
    });
    expect([code, body.reason]).to.deep.equal([422, 'Invalid']);
    expect(body.message).to.contain("ERROR: <input>:1:1: undeclared reference to 'objec' (in container '')");
  });

  it('tell clients what their expressions get wrong about custom kinds', async () => {
    const schema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer' },
            when: { type: 'string', format: 'date-time' },
            any: { type: 'object', 'x-orch-preserve-unknown-fields': true },
            'dashed-name': { type: 'string' },
            list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          },
        },
      },
    };
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
    await establish(admin, widgetDefinition('typed.example.com', { versions: [version] }));
    const rule = {
      operations: ['CREATE'],
      apiGroups: ['typed.example.com'],
      apiVersions: ['v1'],
      resources: ['widgets'],
    };
    const right = [
      'object.spec.size > 1 && object.metadata.labels["a"] == "b"',
      'object.spec.any.thing.deeper == 1',
      'object.spec.when == "2021-01-01T00:00:00Z" && object.spec.`dashed-name` == ""',
      'object.spec.list.all(i, i.name != "")',
      'params.spec.size > object.spec.size',
    ];
    const wrong = [
      'object.spec.sise > 1',
      'object.spec.size == "1"',
      'object.metadata.lables.a == "b"',
      'object.spec.list.all(i, i.nam != "")',
      'params.spec.sise > 1',
    ];
    const { status } = await admin.create(
      policies,
      policyOf('typed-widgets', {
        matchConstraints: { resourceRules: [rule] },
        paramKind: { apiVersion: 'typed.example.com/v1', kind: 'Widget' },
        validations: [...right, ...wrong].map((expression) => ({ expression })),
      }),
    );
    expect(
      status.typeChecking.expressionWarnings.map(({ fieldRef, warning }: JsonObject) => [
        fieldRef,
        warning.split('\n')[0],
      ]),
    ).to.deep.equal([
      [
        'spec.validations[5].expression',
        "typed.example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'sise'",
      ],
      [
        'spec.validations[6].expression',
        "typed.example.com/v1, Kind=Widget: ERROR: <input>:1:18: found no matching overload for '_==_' applied to '(int, string)'",
      ],
      [
        'spec.validations[7].expression',
        "typed.example.com/v1, Kind=Widget: ERROR: <input>:1:16: undefined field 'lables'",
      ],
      [
        'spec.validations[8].expression',
        "typed.example.com/v1, Kind=Widget: ERROR: <input>:1:26: undefined field 'nam'",
      ],
      [
        'spec.validations[9].expression',
        "typed.example.com/v1, Kind=Widget: ERROR: <input>:1:12: undefined field 'sise'",
      ],
    ]);
  });

  it('are not checked again while they stay as they are', async () => {
    const spec = { validations: [{ expression: 'object.data.a == "1"' }] };
    const made = await admin.create(policies, policyOf('same', spec));
    const { metadata, status } = await admin.expect('PATCH', `${policies}/same`, {
      contentType: 'application/merge-patch+json',
      body: { metadata: { labels: { a: 'b' } } },
    });
    expect([metadata.generation, status]).to.deep.equal([1, made.status]);
    const changed = await admin.expect('PATCH', `${policies}/same`, {
      contentType: 'application/merge-patch+json',
      body: { spec: { validations: [{ expression: 'object.data.b == "1"' }] } },
    });
    expect([changed.metadata.generation, changed.status.observedGeneration]).to.deep.equal([2, 2]);
  });

  it('tell clients what their expressions get wrong', async () => {
    const rule = {
      operations: ['CREATE'],
      apiGroups: ['apps'],
      apiVersions: ['v1'],
      resources: ['deployments'],
    };
    const made = await admin.create(
      policies,
      policyOf('typed', {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression: 'object.spec.replcas > 1' }],
      }),
    );
    expect(made.status.typeChecking.expressionWarnings).to.have.length(1);
    const table = await admin.get(policies, { accept: 'application/json;as=Table;v=v1;g=meta.orch.io' });
    expect(table.body.rows[0].cells.slice(0, 3)).to.deep.equal(['typed', 1, '<unset>']);
  });
});

describe('a server that was not told of policies', () => {
  it('does not serve them', async () => {
    const server = await startTestServer();
    try {
      expect((await server.admin.get(policies)).code).to.equal(404);
      const { body } = await server.admin.get(registration);
      expect(body.resources.map(({ name }: JsonObject) => name)).to.deep.equal([
        'mutatingwebhookconfigurations',
        'validatingwebhookconfigurations',
      ]);
    } finally {
      await server.stop();
    }
  });
});
