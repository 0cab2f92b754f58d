import { expect } from 'chai';
import { ApiClient, type JsonObject } from '../support/api-client.ts';
import { inNamespace } from '../support/objects.ts';
import { type PolicyProcess, requirePolicyLibrary, startPolicies } from '../support/policy-process.ts';
import { requireReleaseClient, runReleaseClient } from '../support/release-client.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const namespace = 'policed';
const configMaps = inNamespace(namespace, 'configmaps');
const registration = '/apis/admissionregistration.k8s.io/v1';
const mergePatch = 'application/merge-patch+json';

/** What the library keeps its own notes in; its command would make it. */
const storeDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'peprstores.pepr.dev' },
  spec: {
    group: 'pepr.dev',
    scope: 'Namespaced',
    names: { plural: 'peprstores', singular: 'peprstore', kind: 'PeprStore' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { data: { type: 'object', additionalProperties: { type: 'string' } } },
          },
        },
      },
    ],
  },
};

const rules = [
  {
    operations: ['CREATE', 'UPDATE', 'DELETE'],
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['configmaps', 'secrets'],
  },
  { operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
];

const configuration = (
  kind: 'Mutating' | 'Validating',
  { caBundle }: PolicyProcess,
  url: string,
): object => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${kind}WebhookConfiguration`,
  metadata: { name: 'policies' },
  webhooks: [
    {
      name: `${kind.toLowerCase()}.policies.dev`,
      clientConfig: { url, caBundle },
      rules,
      // The library wants the namespace in the object, where clients put it.
      namespaceSelector: { matchLabels: { policed: 'true' } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1', 'v1beta1'],
      timeoutSeconds: 10,
    },
  ],
});

describe('policies of a foreign program', () => {
  let server: ServeProcess;
  let admin: ApiClient;
  let policies: PolicyProcess;
  before(async function () {
    this.timeout(90_000);
    const library = requirePolicyLibrary(this);
    server = await startServe([
      '--dialect=kubernetes',
      '--ephemeral',
      '--controllers=none',
      '--disable-admission-plugins=ServiceAccount',
    ]);
    admin = new ApiClient(server.access);
    for (const name of ['pepr-system', namespace]) {
      const labels = name === namespace ? { policed: 'true' } : {};
      await admin.create('/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name, labels },
      });
    }
    await admin.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', storeDefinition);
    policies = await startPolicies(library, server.configPath);
    for (const kind of ['Mutating', 'Validating'] as const) {
      const url = kind === 'Mutating' ? policies.mutateUrl : policies.validateUrl;
      await admin.create(
        `${registration}/${kind.toLowerCase()}webhookconfigurations`,
        configuration(kind, policies, url),
      );
    }
  });
  after(async () => {
    await policies?.[Symbol.asyncDispose]();
    admin?.close();
    await server?.stop();
  });

  const configMap = (name: string, more: JsonObject = {}, labels = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels },
    data: { a: '1' },
    ...more,
  });

  it('label what is created, with the name of who did it', async () => {
    const { metadata, data } = await admin.create(configMaps, configMap('created'));
    expect(metadata.labels['changed-by']).to.equal('kubernetes-admin');
    expect(data).to.deep.equal({ a: '1' });
  });

  it('refuse in their own words and with their own code', async () => {
    const { code, body } = await admin.send('POST', configMaps, {
      body: configMap('refused', { data: { forbidden: 'x' } }),
    });
    expect([code, body.code]).to.deep.equal([422, 422]);
    expect(body.message).to.equal(
      'admission webhook "validating.policies.dev" denied the request: data.forbidden is not allowed',
    );
    expect((await admin.get(`${configMaps}/refused`)).code).to.equal(404);
  });

  it('warn', async () => {
    const { code, headers } = await admin.send('POST', configMaps, {
      body: configMap('empty', { data: undefined }),
    });
    expect(code).to.equal(201);
    expect(headers.warning).to.equal('299 - "there is no data"');
  });

  it('compare an update with what was there', async () => {
    await admin.create(configMaps, configMap('compared', { data: { kept: 'old' } }));
    const change = (data: object) =>
      admin.send('PATCH', `${configMaps}/compared`, { body: { data }, contentType: mergePatch });
    const refused = await change({ kept: 'new' });
    expect(refused.body.message).to.match(/ denied the request: data\.kept stays old$/);
    expect((await change({ other: 'new' })).body.data).to.deep.equal({ kept: 'old', other: 'new' });
  });

  it('keep what is protected from being deleted, also in a collection', async () => {
    await admin.create(configMaps, configMap('protected', {}, { protected: 'true' }));
    for (const target of [`${configMaps}/protected`, `${configMaps}?labelSelector=protected`]) {
      const { code, body } = await admin.send('DELETE', target);
      expect([code, body.message]).to.deep.equal([
        422,
        'admission webhook "validating.policies.dev" denied the request: it is protected',
      ]);
    }
    expect((await admin.get(`${configMaps}/protected`)).code).to.equal(200);
  });

  it('change kinds of other groups, whose defaults they see', async () => {
    const labels = { app: 'a' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const { spec, metadata } = await admin.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'few', namespace },
      spec: { selector: { matchLabels: labels }, template },
    });
    expect([spec.replicas, metadata.generation]).to.deep.equal([2, 1]);
  });

  it('change values of secrets that they see decoded', async () => {
    const { data } = await admin.create(inNamespace(namespace, 'secrets'), {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'greeting', namespace },
      stringData: { greeting: 'hello' },
      data: { bytes: '/wCA' },
    });
    expect(Buffer.from(data.greeting, 'base64').toString()).to.equal('hello, world');
    expect(data.bytes).to.equal('/wCA');
  });

  it('are asked in dry runs of the release’s client, which changes nothing', async function () {
    const client = await requireReleaseClient(this);
    await using folder = await makeTemporaryDirectory();
    const at = [`--kubeconfig=${server.configPath}`, `--cache-dir=${folder.path}`, '--dry-run=server'];
    const make = (...args: string[]) =>
      runReleaseClient(client, ['create', 'configmap', `--namespace=${namespace}`, ...args, ...at]);
    const made = await make('dry', '--from-literal=a=1', '-o', 'jsonpath={.metadata.labels.changed-by}');
    expect([made.code, made.stdout]).to.deep.equal([0, 'kubernetes-admin']);
    const refused = await make('dry', '--from-literal=forbidden=1');
    expect(refused.stderr).to.match(/denied the request: data\.forbidden is not allowed/);
    expect((await admin.get(`${configMaps}/dry`)).code).to.equal(404);
  });

  it('say nothing of namespaces that the configuration leaves out', async () => {
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'free' },
      data: { forbidden: 'x' },
    };
    const { metadata } = await admin.create(inNamespace('default', 'configmaps'), body);
    expect(metadata.labels).to.equal(undefined);
  });

  it('hold up what they are asked about once they are gone, unless their failures are ignored', async () => {
    await policies.stop();
    const refused = await admin.send('POST', configMaps, { body: configMap('late') });
    expect(refused.code).to.equal(500);
    expect(refused.body.message).to.match(
      /failed calling webhook "mutating\.policies\.dev": .*connection refused$/,
    );
    for (const kind of ['mutating', 'validating']) {
      const path = `${registration}/${kind}webhookconfigurations/policies`;
      const body = [{ op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' }];
      await admin.expect('PATCH', path, { body, contentType: 'application/json-patch+json' });
    }
    expect((await admin.create(configMaps, configMap('late'))).metadata.labels).to.equal(undefined);
  });
});
