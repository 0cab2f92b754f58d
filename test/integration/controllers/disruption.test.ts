import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace, service } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const pods = inNamespace('default', 'pods');
const budgets = '/apis/policy/v1beta1/namespaces/default/poddisruptionbudgets';

describe('the controller of disruption budgets', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: ['--controllers=disruption', '--disable-admission-plugins=ServiceAccount'],
    });
    admin = server.admin;
  });
  after(() => server.stop());

  const createBudget = (name: string, spec: object): Promise<JsonObject> =>
    admin.create(budgets, {
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { selector: { matchLabels: { app: name } }, ...spec },
    });
  const createReadyPod = async (app: string, name: string, ownerReferences?: object[]): Promise<void> => {
    await admin.create(pods, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, labels: { app }, ownerReferences },
      spec: { nodeName: 'node', containers: [{ name: 'c', image: 'i' }] },
    });
    await admin.expect('PATCH', `${pods}/${name}/status`, {
      body: { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
      contentType: 'application/merge-patch+json',
    });
  };
  const evict = (name: string) =>
    admin.send('POST', `${pods}/${name}/eviction`, {
      body: { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name } },
    });
  const until = (name: string, wanted: JsonObject): Promise<JsonObject> =>
    eventually(async () => {
      const { status } = await admin.expect('GET', `${budgets}/${name}`);
      return Object.entries(wanted).every(([field, value]) => status[field] === value) ? status : undefined;
    });

  it('lets evictions go on as far as the budget reaches, and no further', async () => {
    await createBudget('web', { minAvailable: 2 });
    for (const name of ['web-1', 'web-2', 'web-3']) await createReadyPod('web', name);
    await until('web', { disruptionsAllowed: 1, currentHealthy: 3, expectedPods: 3 });
    expect((await evict('web-1')).code).to.equal(201);
    await until('web', { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 });
    expect((await evict('web-2')).code).to.equal(429);
    await createReadyPod('web', 'web-4');
    await until('web', { disruptionsAllowed: 1 });
    expect((await evict('web-2')).code).to.equal(201);
  });

  it('asks custom resources for their scale', async () => {
    await admin.create('/apis/apiextensions.orch.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.orch.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gangs.test.example' },
      spec: {
        group: 'test.example',
        scope: 'Namespaced',
        names: { plural: 'gangs', kind: 'Gang' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } },
            subresources: {
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
            },
          },
        ],
      },
    });
    const gangs = '/apis/test.example/v1/namespaces/default/gangs';
    const kind = { apiVersion: 'test.example/v1', kind: 'Gang' };
    const { metadata } = await eventually(async () => {
      const { code, body } = await admin.send('POST', gangs, {
        body: { ...kind, metadata: { name: 'g' }, spec: { replicas: 4 } },
      });
      return code === 201 ? body : undefined;
    });
    const owner = { ...kind, name: 'g', uid: metadata.uid, controller: true };
    await createReadyPod('gang', 'gang-1', [owner]);
    await createBudget('gang', { maxUnavailable: '25%' });
    await until('gang', { expectedPods: 4, desiredHealthy: 3, currentHealthy: 1, disruptionsAllowed: 0 });
  });

  it('lets nothing go while it does not know how many pods there should be, and says so', async () => {
    await createReadyPod('lonely', 'lonely-1');
    await createBudget('lonely', { maxUnavailable: 1 });
    await eventually(async () => {
      const { items } = await admin.expect('GET', inNamespace('default', 'events'));
      const told = items.filter(({ involvedObject }: JsonObject) => involvedObject.name === 'lonely');
      const reasons = told.map(({ reason }: JsonObject) => reason).sort();
      return reasons.join() === 'CalculateExpectedPodCountFailed,NoControllerRef' ? reasons : undefined;
    });
    expect((await evict('lonely-1')).code).to.equal(429);
  });
});

describe('the controller of disruption budgets without its gate', () => {
  it('does not run', async () => {
    const flags = ['--controllers=disruption,endpoint', '--feature-gates=PodDisruptionBudget=false'];
    const server = await startTestServer({ flags });
    const { admin } = server;
    try {
      await admin.create(budgets, {
        apiVersion: 'policy/v1beta1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'idle' },
        spec: { selector: { matchLabels: { app: 'idle' } }, minAvailable: 1 },
      });
      await admin.create(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'idle', labels: { app: 'idle' } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      });
      // The endpoints of a service that came later tell that controllers have had their chance.
      const { spec, ...later } = service('later');
      const selector = { app: 'idle' };
      await admin.create(inNamespace('default', 'services'), { ...later, spec: { ...spec, selector } });
      await eventually(async () => {
        const { code } = await admin.get(inNamespace('default', 'endpoints/later'));
        return code === 200 ? true : undefined;
      });
      const { status } = await admin.expect('GET', `${budgets}/idle`);
      expect(status).to.include({ expectedPods: 0, currentHealthy: 0 });
    } finally {
      await server.stop();
    }
  });
});
