import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../../support/api-client.ts';
import { failureOf } from '../../../support/failure.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { startTestServer } from '../../../support/test-server.ts';
import { WebhookServer } from '../../../support/webhook-server.ts';

const podsPath = '/api/v1/namespaces/default/pods';
const podOf = (name: string, spec: object = {}): JsonObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});
const involvedObject = { kind: 'Pod', namespace: 'default', name: 'p' };
const eventOf = (name: string): JsonObject => ({
  kind: 'Event',
  apiVersion: 'v1',
  metadata: { name },
  involvedObject,
});

describe('the configuration of admission plugins', () => {
  let directory: TemporaryDirectory;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => directory.remove());

  const write = async (name: string, value: object): Promise<string> => {
    const path = join(directory.path, name);
    await writeFile(path, JSON.stringify(value));
    return path;
  };

  /** Runs `test` against a server with these plugins and their configurations. */
  async function withPlugins(
    configurations: Readonly<Record<string, object>>,
    test: (admin: ApiClient) => Promise<void>,
    enabled: readonly string[] = Object.keys(configurations),
  ): Promise<void> {
    const path = await write('admission.yaml', {
      apiVersion: 'apiserver.config.orch.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: Object.entries(configurations).map(([name, of]) => ({ name, ...of })),
    });
    const flags = [`--enable-admission-plugins=${enabled.join()}`, `--admission-control-config-file=${path}`];
    const server = await startTestServer({ flags });
    try {
      await test(server.admin);
    } finally {
      await server.stop();
    }
  }

  const limits = (...given: object[]): object => ({
    apiVersion: 'eventratelimit.admission.orch.io/v1alpha1',
    kind: 'Configuration',
    limits: given,
  });
  const oneEvent = limits({ type: 'Namespace', qps: 1, burst: 1 });

  it('bounds how often events are written, in the core group', async () => {
    await withPlugins({ EventRateLimit: { configuration: oneEvent } }, async (admin) => {
      const send = (event: JsonObject) =>
        admin.send('POST', '/api/v1/namespaces/default/events', { body: event });
      expect((await send(eventOf('a'))).code).to.equal(201);
      const { code, body, headers } = await send(eventOf('b'));
      expect([code, headers['retry-after']]).to.deep.equal([429, undefined]);
      expect(body).to.deep.include({
        reason: 'TooManyRequests',
        message: 'Too many requests: limit reached on type Namespace for key default',
      });
      expect(body).not.to.have.property('details');
      const newer = {
        ...{
          kind: 'Event',
          apiVersion: 'events.orch.io/v1',
          metadata: { name: 'c' },
          regarding: involvedObject,
        },
        ...{
          eventTime: '2020-01-01T00:00:00.000000Z',
          reportingController: 'r.io/c',
          reportingInstance: 'i',
        },
        ...{ action: 'a', reason: 'r', type: 'Normal' },
      };
      const path = '/apis/events.orch.io/v1/namespaces/default/events';
      const { code: newerCode } = await admin.send('POST', path, { body: newer });
      expect(newerCode).to.equal(201);
    });
  });

  it('is also read from a file of the plugin, beside the other', async () => {
    await write('limits.yaml', oneEvent);
    await withPlugins({ EventRateLimit: { path: 'limits.yaml' } }, async (admin) => {
      const path = '/api/v1/namespaces/default/events';
      await admin.create(path, eventOf('a'));
      expect((await admin.send('POST', path, { body: eventOf('b') })).code).to.equal(429);
    });
  });

  it('has tolerations for all namespaces', async () => {
    const toleration = { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' };
    const configuration = {
      apiVersion: 'podtolerationrestriction.admission.orch.io/v1alpha1',
      kind: 'Configuration',
      default: [toleration],
    };
    await withPlugins({ PodTolerationRestriction: { configuration } }, async (admin) => {
      const { spec } = await admin.create(podsPath, podOf('p'));
      expect(spec.tolerations).to.deep.include(toleration);
      const annotations = { 'scheduler.alpha.orch.io/tolerationsWhitelist': '[{"key":"other"}]' };
      await admin.send('PATCH', '/api/v1/namespaces/default', {
        contentType: 'application/merge-patch+json',
        body: { metadata: { annotations } },
      });
      const { code, body } = await admin.send('POST', podsPath, { body: podOf('q') });
      expect([code, body.message]).to.deep.equal([
        500,
        'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
      ]);
    });
  });

  it('has node selectors by namespace', async () => {
    const podNodeSelectorPluginConfig = { clusterDefaultNodeSelector: 'a=b', default: 'a=b,c=d' };
    const configuration = { podNodeSelectorPluginConfig };
    await withPlugins({ PodNodeSelector: { configuration } }, async (admin) => {
      const { spec } = await admin.create(podsPath, podOf('p', { nodeSelector: { c: 'd' } }));
      expect(spec.nodeSelector).to.deep.equal({ a: 'b', c: 'd' });
      const { body } = await admin.send('POST', podsPath, { body: podOf('q', { nodeSelector: { e: 'f' } }) });
      expect(body.message).to.contain('conflict with its namespace whitelist');
    });
  });

  const limitedResources = [
    { resource: 'configmaps', matchContains: ['count/configmaps'] },
    {
      resource: 'pods',
      matchScopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['system-cluster-critical'] }],
    },
  ];
  const quotaKinds = [
    ['apiserver.config.orch.io/v1', 'ResourceQuotaConfiguration'],
    ['resourcequota.admission.orch.io/v1beta1', 'Configuration'],
    ['resourcequota.admission.orch.io/v1alpha1', 'Configuration'],
  ];
  for (const [apiVersion, kind] of quotaKinds) {
    it(`says what may be used only where a quota bounds it: ${apiVersion}`, async () => {
      const configuration = { apiVersion, kind, limitedResources };
      await withPlugins({ ResourceQuota: { configuration } }, async (admin) => {
        const answerTo = async (path: string, body: JsonObject) => {
          const answer = await admin.send('POST', path, { body });
          return [answer.code, answer.body.reason, answer.body.message];
        };
        const maps = '/api/v1/namespaces/default/configmaps';
        const map = { metadata: { name: 'm' } };
        expect(await answerTo(maps, map)).to.deep.equal([
          403,
          'Forbidden',
          'configmaps "m" is forbidden: insufficient quota to consume: count/configmaps',
        ]);
        const critical = podOf('p', { priorityClassName: 'system-cluster-critical' });
        expect(await answerTo(podsPath, critical)).to.deep.equal([
          500,
          undefined,
          'insufficient quota to match these scopes: [{PriorityClass In [system-cluster-critical]}]',
        ]);
        await admin.create(podsPath, podOf('p'));
        const quotas = '/api/v1/namespaces/default/resourcequotas';
        const hard = { 'count/configmaps': '1' };
        const quota = await admin.create(quotas, { metadata: { name: 'q' }, spec: { hard } });
        const status = { hard, used: { 'count/configmaps': '0' } };
        await admin.expect('PUT', `${quotas}/q/status`, { body: { ...quota, status } });
        await admin.create(maps, map);
        expect((await answerTo(maps, { metadata: { name: 'n' } }))[2]).to.contain('exceeded quota: q');
      });
    });
  }

  it('says who decides about images', async () => {
    await using policy = await WebhookServer.start((call, response) => {
      const [{ image }] = JSON.parse(call.body).spec.containers;
      const status = { allowed: image !== 'bad', reason: 'we know it' };
      response.end(JSON.stringify({ ...JSON.parse(call.body), status }));
    });
    await write('policy.conf', {
      kind: 'Config',
      apiVersion: 'v1',
      clusters: [
        { name: 'c', cluster: { server: `${policy.url}/x`, 'certificate-authority-data': policy.caBundle } },
      ],
      users: [{ name: 'u', user: { token: 'secret' } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    });
    const configuration = { imagePolicy: { orchConfigFile: 'policy.conf', allowTTL: -1 } };
    await withPlugins({ ImagePolicyWebhook: { configuration } }, async (admin) => {
      await admin.create(podsPath, podOf('p'));
      const [call] = policy.calls;
      expect(call?.url).to.equal('/x?timeout=30s');
      expect(call?.headers.authorization).to.equal('Bearer secret');
      const bad = podOf('q', { containers: [{ name: 'c', image: 'bad' }] });
      const { code, body } = await admin.send('POST', podsPath, { body: bad });
      expect([code, body.message]).to.deep.equal([
        403,
        'pods "q" is forbidden: image policy webook backend denied one or more images: we know it',
      ]);
    });
  });

  const missing = ['EventRateLimit', 'ImagePolicyWebhook'];
  for (const plugin of missing) {
    it(`must be there for ${plugin}`, async () => {
      const flags = [`--enable-admission-plugins=${plugin}`];
      expect(String(await failureOf(startTestServer({ flags })))).to.contain(
        `--admission-control-config-file: plugins: ${plugin} is enabled and must be configured`,
      );
    });
  }

  const wrong: readonly (readonly [string, object, string])[] = [
    ['EventRateLimit', limits(), 'EventRateLimit: limits: must be a list'],
    [
      'PodNodeSelector',
      { podNodeSelectorPluginConfig: 1 },
      'PodNodeSelector: podNodeSelectorPluginConfig: must',
    ],
    [
      'ResourceQuota',
      {
        apiVersion: 'apiserver.config.orch.io/v1',
        kind: 'ResourceQuotaConfiguration',
        limitedResources: [{}],
      },
      'ResourceQuota: limitedResources[0].resource: must name a resource',
    ],
    ['PodTolerationRestriction', {}, 'PodTolerationRestriction: must be of kind Configuration'],
    ['ImagePolicyWebhook', { imagePolicy: {} }, 'ImagePolicyWebhook: imagePolicy.orchConfigFile: must name'],
    ['ImagePolicyWebhook', { imagePolicy: { orchConfigFile: 'nothing' } }, 'nothing'],
  ];
  for (const [plugin, configuration, message] of wrong) {
    it(`is refused at the start: ${plugin} ${JSON.stringify(configuration)}`, async () => {
      const start = withPlugins({ [plugin]: { configuration } }, async () => {});
      expect(String(await failureOf(start)))
        .to.contain('--admission-control-config-file')
        .and.to.contain(message);
    });
  }
});
