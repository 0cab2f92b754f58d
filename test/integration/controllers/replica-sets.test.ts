import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../../support/api-client.ts';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const pods = inNamespace('default', 'pods');
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const kinds = [
  {
    path: '/apis/apps/v1/namespaces/default/replicasets',
    object: {
      kind: 'ReplicaSet',
      apiVersion: 'apps/v1',
      spec: { selector: { matchLabels: labels }, template },
    },
  },
  {
    path: inNamespace('default', 'replicationcontrollers'),
    object: { kind: 'ReplicationController', apiVersion: 'v1', spec: { selector: labels, template } },
  },
];

for (const { path, object } of kinds) {
  describe(`the controller of ${path.split('/').at(-1)}`, () => {
    let server: TestServer;
    let admin: ApiClient;
    before(async () => {
      server = await startTestServer({
        flags: [
          '--controllers=replicaset,replicationcontroller,resourcequota',
          '--disable-admission-plugins=ServiceAccount',
        ],
      });
      admin = server.admin;
    });
    after(() => server.stop());

    const create = (name: string, replicas: number): Promise<JsonObject> =>
      admin.create(path, { ...object, metadata: { name }, spec: { ...object.spec, replicas } });
    const merge = (at: string, body: object): Promise<JsonObject> =>
      admin.expect('PATCH', at, { body, contentType: 'application/merge-patch+json' });
    const listPods = async (): Promise<JsonObject[]> => (await admin.expect('GET', pods)).items;
    const remove = (name: string) =>
      admin.expect('DELETE', `${pods}/${name}`, { body: { gracePeriodSeconds: 0 } });
    /** Waits for a status, and returns the pods at that time. */
    const until = (name: string, has: (status: JsonObject) => boolean): Promise<JsonObject[]> =>
      eventually(async () => {
        const { status, metadata } = await admin.expect('GET', `${path}/${name}`);
        return status.observedGeneration === metadata.generation && has(status) ? listPods() : undefined;
      });

    it('keeps as many pods as asked for, whatever happens to them, and never one too many', async () => {
      const watch = await admin.watch(pods);
      await create('keeps', 3);
      const [first, second] = await until('keeps', ({ replicas }) => replicas === 3);
      await remove(first?.metadata.name);
      await merge(`${pods}/${second?.metadata.name}/status`, { status: { phase: 'Failed' } });
      const alive = await eventually(async () => {
        const active = (await listPods()).filter(({ status }) => status.phase !== 'Failed');
        return active.length === 3 ? active : undefined;
      });
      await until('keeps', ({ replicas }) => replicas === 3);
      const created = (): readonly string[] => watch.lines.filter((line) => line.startsWith('ADDED'));
      await watch.until(() => created().length >= 5, 'three pods, and one for each that went');
      watch.close();
      expect(created()).to.have.lengthOf(5);
      await merge(`${pods}/${alive[0]?.metadata.name}`, { metadata: { labels: { app: 'released' } } });
      await until('keeps', ({ replicas }) => replicas === 3);
      await eventually(async () => {
        const { metadata } = await admin.expect('GET', `${pods}/${alive[0]?.metadata.name}`);
        return metadata.ownerReferences === undefined ? metadata : undefined;
      });
      await admin.expect('DELETE', `${path}/keeps`, { body: { propagationPolicy: 'Orphan' } });
    });

    it('tells no number of pods that it passes on its way', async () => {
      const watch = await admin.watch(path);
      const told = (): number[] =>
        watch.events
          .filter(({ object }) => object.metadata.name === 'counted')
          .map(({ object }) => object.status.replicas);
      await create('counted', 40);
      await until('counted', ({ replicas }) => replicas === 40);
      await merge(`${path}/counted`, { spec: { replicas: 0 } });
      await until('counted', ({ replicas }) => replicas === 0);
      await watch.until(() => told().at(-1) === 0 && told().includes(40), 'the end of it');
      watch.close();
      expect(new Set(told())).to.deep.equal(new Set([0, 40]));
    });

    it('says in a condition and events what keeps it from its pods, and goes on once it can', async () => {
      const quota = {
        kind: 'ResourceQuota',
        apiVersion: 'v1',
        metadata: { name: 'none' },
        spec: { hard: { 'count/pods': '0' } },
      };
      for (const { metadata } of await listPods()) await remove(metadata.name);
      await admin.create(inNamespace('default', 'resourcequotas'), quota);
      await eventually(async () => {
        const { status } = await admin.expect('GET', inNamespace('default', 'resourcequotas/none'));
        return status.used?.['count/pods'] === '0' ? status : undefined;
      });
      await create('kept', 1);
      await until('kept', ({ conditions }) => conditions?.[0]?.reason === 'FailedCreate');
      const { status } = await admin.expect('GET', `${path}/kept`);
      expect(status.conditions[0].message).to.match(
        /^pods "kept-[a-z0-9]{5}" is forbidden: exceeded quota: none, requested: count\/pods=1, used: count\/pods=0, limited: count\/pods=0$/,
      );
      await admin.expect('DELETE', inNamespace('default', 'resourcequotas/none'));
      await until('kept', ({ replicas, conditions }) => replicas === 1 && conditions === undefined);
      const reasons = await eventually(async () => {
        const { items } = await admin.expect('GET', inNamespace('default', 'events'));
        const found = items.filter((event: JsonObject) => event.involvedObject.name === 'kept');
        const has = new Set(found.map((event: JsonObject) => event.reason));
        return has.size === 2 ? [...has].sort() : undefined;
      });
      expect(reasons).to.deep.equal(['FailedCreate', 'SuccessfulCreate']);
      // It would make its pod anew while the next test counts.
      await admin.expect('DELETE', `${path}/kept`, { body: { propagationPolicy: 'Orphan' } });
    });

    it('says what keeps it from deleting pods', async () => {
      for (const { metadata } of await listPods()) await remove(metadata.name);
      await create('stays', 1);
      await until('stays', ({ replicas }) => replicas === 1);
      const hooks = '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations';
      const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['DELETE'] }];
      const clientConfig = { service: { namespace: 'default', name: 'nobody' } };
      const hook = {
        name: 'x.example.com',
        rules,
        clientConfig,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      };
      await admin.create(hooks, { metadata: { name: 'x' }, webhooks: [hook] });
      const condition = await eventually(async () => {
        await merge(`${path}/stays`, { spec: { replicas: 0 } });
        const { status } = await admin.expect('GET', `${path}/stays`);
        return status.conditions?.[0];
      });
      expect(condition.reason).to.equal('FailedDelete');
      expect(condition.message).to.match(
        /^unable to delete pods: Internal error occurred: failed calling webhook/,
      );
      await admin.expect('DELETE', `${hooks}/x`);
      await until('stays', ({ replicas, conditions }) => replicas === 0 && conditions === undefined);
    });
  });
}
