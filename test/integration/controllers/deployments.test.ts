import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
const labels = { app: 'a' };
const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'c', image }] } });

describe('the controller of deployments', () => {
  let server: TestServer;
  let admin: ApiClient;
  before(async () => {
    server = await startTestServer({
      flags: ['--controllers=deployment,replicaset', '--disable-admission-plugins=ServiceAccount'],
    });
    admin = server.admin;
  });
  after(() => server.stop());

  const merge = (path: string, body: object): Promise<JsonObject> =>
    admin.expect('PATCH', path, { body, contentType: 'application/merge-patch+json' });
  /** Plays the agent: all pods that are not ready become so. */
  async function readyPods(): Promise<void> {
    const { items } = await admin.expect('GET', inNamespace('default', 'pods'));
    for (const { metadata, status } of items) {
      if (status.conditions?.some(({ type }: JsonObject) => type === 'Ready')) continue;
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];
      await admin.send('PATCH', `${inNamespace('default', 'pods')}/${metadata.name}/status`, {
        body: { status: { phase: 'Running', conditions } },
        contentType: 'application/merge-patch+json',
      });
    }
  }
  /** Waits until a rollout has ended, with these images on pods. */
  const untilRolledOut = (name: string): Promise<JsonObject> =>
    eventually(async () => {
      await readyPods();
      const { metadata, status } = await admin.expect('GET', `${deployments}/${name}`);
      const progress = status.conditions?.find(({ type }: JsonObject) => type === 'Progressing');
      const isDone =
        status.observedGeneration === metadata.generation && progress?.reason === 'NewReplicaSetAvailable';
      return isDone && status.updatedReplicas === status.replicas ? { metadata, status } : undefined;
    });
  const listSets = async (): Promise<JsonObject[]> => (await admin.expect('GET', replicaSets)).items;
  const sizesByRevision = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await listSets()).map(({ metadata, spec }) => [
        metadata.annotations['deployment.orch.io/revision'],
        spec.replicas,
      ]),
    );

  it('rolls out one template after the other, and back, and is scaled', async () => {
    const spec = { replicas: 2, selector: { matchLabels: labels }, template: template('v1') };
    const object = { kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'web' }, spec };
    await admin.create(deployments, object);
    const { status } = await untilRolledOut('web');
    expect([status.replicas, status.readyReplicas, status.availableReplicas]).to.deep.equal([2, 2, 2]);
    await merge(`${deployments}/web`, { spec: { template: template('v2'), replicas: 3 } });
    const second = await untilRolledOut('web');
    expect(second.metadata.annotations['deployment.orch.io/revision']).to.equal('2');
    expect(await sizesByRevision()).to.deep.equal({ 1: 0, 2: 3 });
    await merge(`${deployments}/web`, { spec: { template: template('v1') } });
    const third = await untilRolledOut('web');
    expect(third.metadata.annotations['deployment.orch.io/revision']).to.equal('3');
    expect(await sizesByRevision()).to.deep.equal({ 2: 0, 3: 3 });
  });

  it('takes another name when its own is taken by another template', async () => {
    const [{ metadata, spec } = { metadata: {}, spec: {} } as JsonObject] = await listSets();
    const before = new Set((await listSets()).map((set) => set.metadata.uid));
    // Nobody collects garbage here: the sets stay.
    await admin.expect('DELETE', `${deployments}/web`, { body: { propagationPolicy: 'Background' } });
    for (const set of await listSets()) await admin.expect('DELETE', `${replicaSets}/${set.metadata.name}`);
    // A set of other pods has the name that the same template gives again.
    const other = { app: 'other' };
    await admin.create(replicaSets, {
      ...{ kind: 'ReplicaSet', apiVersion: 'apps/v1', metadata: { name: metadata.name } },
      spec: {
        ...{ replicas: 0, selector: { matchLabels: other } },
        template: { ...template('other'), metadata: { labels: other } },
      },
    });
    const wanted = { metadata: { labels }, spec: spec.template.spec };
    await admin.create(deployments, {
      ...{ kind: 'Deployment', apiVersion: 'apps/v1', metadata: { name: 'web' } },
      spec: { replicas: 1, selector: { matchLabels: labels }, template: wanted },
    });
    const { status } = await untilRolledOut('web');
    expect(status.collisionCount).to.equal(1);
    expect((await listSets()).some((set) => before.has(set.metadata.uid))).to.equal(false);
  });

  it('goes back to a revision as clients of the first version ask for it', async () => {
    await merge(`${deployments}/web`, { spec: { template: template('v9') } });
    await untilRolledOut('web');
    await merge(`${deployments}/web`, {
      metadata: { annotations: { 'deprecated.deployment.rollback.to': '1' } },
    });
    await eventually(async () => {
      const { metadata } = await admin.expect('GET', `${deployments}/web`);
      return metadata.annotations['deprecated.deployment.rollback.to'] === undefined ? metadata : undefined;
    });
    await untilRolledOut('web');
    const { spec } = await admin.expect('GET', `${deployments}/web`);
    expect(spec.template.spec.containers[0].image).to.not.equal('v9');
  });
});
