import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type FrontProxyFlags, makeFrontProxy } from '../../support/front-proxy.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { type ReceivedCall, WebhookServer } from '../../support/webhook-server.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const autoscalers = (version: string) =>
  `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const groups = {
  resource: 'metrics.orch.io',
  custom: 'custom.metrics.orch.io',
  external: 'external.metrics.orch.io',
};

describe('the controller of pod autoscalers', () => {
  let proxy: FrontProxyFlags;
  let server: TestServer;
  let admin: ApiClient;
  let metrics: WebhookServer;
  /** What the metrics server says, by path without query. */
  const answers = new Map<string, object>();
  before(async () => {
    proxy = await makeFrontProxy();
    server = await startTestServer({
      flags: [
        ...proxy.front,
        '--controllers=horizontalpodautoscaling',
        '--horizontal-pod-autoscaler-sync-period=100ms',
        '--horizontal-pod-autoscaler-downscale-stabilization=0s',
      ],
    });
    admin = server.admin;
    metrics = await WebhookServer.start(({ url }: ReceivedCall, response: ServerResponse) => {
      const answer = answers.get(decodeURIComponent(url.split('?')[0] ?? ''));
      response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? {}));
    });
  });
  after(async () => {
    await server.stop();
    await metrics[Symbol.asyncDispose]();
    await proxy.remove();
  });

  const createDeployment = (name: string): Promise<JsonObject> =>
    admin.create(deployments, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    });
  /** Pods of a deployment that nobody runs, ready for an hour. */
  const createPods = async (app: string): Promise<void> => {
    await admin.expect('PATCH', `${deployments}/${app}/status`, {
      body: { status: { replicas: 2 } },
      contentType: 'application/merge-patch+json',
    });
    for (const name of [`${app}-0`, `${app}-1`]) {
      await admin.create(inNamespace('default', 'pods'), {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, labels: { app } },
        spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] },
      });
      const long = new Date(Date.now() - 3_600_000).toISOString();
      const ready = { type: 'Ready', status: 'True', lastTransitionTime: long };
      await admin.expect('PATCH', `${inNamespace('default', 'pods')}/${name}/status`, {
        body: { status: { phase: 'Running', startTime: long, conditions: [ready] } },
        contentType: 'application/merge-patch+json',
      });
    }
  };
  const autoscale = (name: string, metric: JsonObject): Promise<JsonObject> =>
    admin.create(autoscalers('v2beta2'), {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name },
      spec: {
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        metrics: [metric],
      },
    });
  const register = async (group: string): Promise<void> => {
    const { port } = new URL(metrics.url);
    const name = group.replaceAll('.', '-');
    answers.set(`/apis/${group}/v1beta1`, { kind: 'APIResourceList', apiVersion: 'v1', resources: [] });
    await admin.create(inNamespace('default', 'services'), {
      metadata: { name },
      spec: { type: 'ExternalName', externalName: '127.0.0.1', ports: [{ port: Number(port) }] },
    });
    await admin.create('/apis/apiregistration.orch.io/v1/apiservices', {
      metadata: { name: `v1beta1.${group}` },
      spec: {
        ...{ group, version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 10 },
        service: { namespace: 'default', name, port: Number(port) },
        insecureSkipTLSVerify: true,
      },
    });
  };
  const replicasOf = async (name: string): Promise<number> =>
    (await admin.expect('GET', `${deployments}/${name}`)).spec.replicas;
  const untilReplicas = (name: string, replicas: number): Promise<true> =>
    eventually(async () => ((await replicasOf(name)) === replicas ? true : undefined));
  const conditionOf = (name: string, type: string, reason: string): Promise<JsonObject> =>
    eventually(async () => {
      const { status } = await admin.expect('GET', `${autoscalers('v2beta2')}/${name}`);
      return (status.conditions ?? []).find(
        (each: JsonObject) => each.type === type && each.reason === reason,
      );
    });

  it('tells that there is no metrics API, as every version shows it', async () => {
    await createDeployment('early');
    await createPods('early');
    await admin.create(autoscalers('v1'), {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'early' },
      spec: {
        maxReplicas: 9,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'early' },
        targetCPUUtilizationPercentage: 50,
      },
    });
    const { message } = await conditionOf('early', 'ScalingActive', 'FailedGetResourceMetric');
    expect(message).to.contain('the server could not find the requested resource (get pods.metrics.orch.io)');
    for (const version of ['v1', 'v2beta1', 'v2beta2']) {
      const { status } = await admin.expect('GET', `${autoscalers(version)}/early`);
      expect(status.currentReplicas, version).to.equal(2);
    }
    const written = await admin.expect('GET', `${autoscalers('v1')}/early`);
    const owner = written.metadata.managedFields.find(({ manager }: JsonObject) => manager !== 'unknown');
    expect(owner.apiVersion).to.equal('autoscaling/v1');
    expect(owner.fieldsV1['f:metadata']['f:annotations']).to.have.keys(
      '.',
      'f:autoscaling.alpha.orch.io/conditions',
    );
    await admin.expect('DELETE', `${autoscalers('v1')}/early`);
  });

  it('follows the use of a resource, up and down', async () => {
    await register(groups.resource);
    await createDeployment('cpu');
    await createPods('cpu');
    const use = (cpu: string): void => {
      answers.set(`/apis/${groups.resource}/v1beta1/namespaces/default/pods`, {
        items: ['cpu-0', 'cpu-1'].map((name) => ({
          metadata: { name, namespace: 'default' },
          ...{ timestamp: new Date().toISOString(), window: '30s' },
          containers: [{ name: 'c', usage: { cpu, memory: '1Mi' } }],
        })),
      });
    };
    use('750m');
    await autoscale('cpu', {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
    });
    await untilReplicas('cpu', 3);
    const { status } = await eventually(async () => {
      const found = await admin.expect('GET', `${autoscalers('v2beta2')}/cpu`);
      return found.status.currentMetrics ? found : undefined;
    });
    expect(status.currentMetrics[0].resource.current).to.deep.equal({
      averageValue: '750m',
      averageUtilization: 75,
    });
    const call = metrics.calls.find(({ url }) => url.includes('/pods?'));
    expect(call?.url).to.contain('labelSelector=app%3Dcpu');
    use('240m');
    await untilReplicas('cpu', 1);
    const { items } = await admin.expect('GET', inNamespace('default', 'events'));
    const told = items.filter(({ reason }: JsonObject) => reason === 'SuccessfulRescale');
    expect(told.map((event: JsonObject) => event.message)).to.include.members([
      'New size: 3; reason: cpu resource utilization (percentage of request) above target',
      'New size: 1; reason: All metrics below target',
    ]);
  });

  it('follows metrics of pods, of an object and of something else', async () => {
    await register(groups.custom);
    await register(groups.external);
    const root = `/apis/${groups.custom}/v1beta1/namespaces/default`;
    const values = (value: string, ...names: string[]): object => ({
      items: names.map((name) => ({ describedObject: { kind: 'Pod', name }, value })),
    });
    answers.set(`${root}/pods/*/packets`, values('30', 'pods-0', 'pods-1'));
    answers.set(`${root}/services/web/hits`, values('250', 'web'));
    answers.set(`/apis/${groups.external}/v1beta1/namespaces/default/queue`, {
      items: [{ value: '7' }, { value: '5' }],
    });
    for (const name of ['pods', 'object', 'external']) {
      await createDeployment(name);
      await createPods(name);
    }
    const target = (value: string) => ({ type: 'AverageValue', averageValue: value });
    const selector = { matchLabels: { verb: 'GET' } };
    await autoscale('pods', {
      type: 'Pods',
      pods: { metric: { name: 'packets', selector }, target: target('10') },
    });
    await autoscale('object', {
      type: 'Object',
      object: {
        describedObject: { apiVersion: 'v1', kind: 'Service', name: 'web' },
        metric: { name: 'hits' },
        target: { type: 'Value', value: '100' },
      },
    });
    await autoscale('external', {
      type: 'External',
      external: { metric: { name: 'queue', selector }, target: target('3') },
    });
    // By way of four, which is as far as they may go at once.
    await untilReplicas('object', 5);
    await untilReplicas('pods', 6);
    await untilReplicas('external', 4);
    const urls = metrics.calls.map(({ url }) => url);
    expect(
      urls.some((url) => url.includes('packets?') && url.includes('metricLabelSelector=verb%3DGET')),
    ).to.equal(true);
    expect(urls.some((url) => url.includes('queue?labelSelector=verb%3DGET'))).to.equal(true);
  });

  it('tells that a target is not there, or has no scale', async () => {
    const metric = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 1 } },
    };
    await autoscale('nowhere', metric);
    const { message } = await conditionOf('nowhere', 'AbleToScale', 'FailedGetScale');
    expect(message).to.contain('deployments/scale.apps "nowhere" not found');
    const target = (kind: string, apiVersion: string) =>
      admin.expect('PATCH', `${autoscalers('v2beta2')}/nowhere`, {
        body: { spec: { scaleTargetRef: { kind, apiVersion, name: 'x' } } },
        contentType: 'application/merge-patch+json',
      });
    const untilMessage = (text: string): Promise<true> =>
      eventually(async () => {
        const { message: told } = await conditionOf('nowhere', 'AbleToScale', 'FailedGetScale');
        return told.endsWith(`current scale: ${text}`) ? true : undefined;
      });
    await target('Unheard', 'apps/v1');
    await untilMessage('no matches for kind "Unheard" in group "apps"');
    await target('DaemonSet', 'apps/v1');
    await untilMessage('the server could not find the requested resource');
  });
});
