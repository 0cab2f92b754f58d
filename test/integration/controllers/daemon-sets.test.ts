import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { inNamespace } from '../../support/objects.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';

const sets = '/apis/apps/v1/namespaces/default/daemonsets';
const pods = inNamespace('default', 'pods');

interface SeenPod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly labels: Record<string, string> };
  readonly spec: { readonly nodeName: string };
}

describe('the controller of daemon sets', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({
      flags: ['--controllers=daemonset,scheduler', '--disable-admission-plugins=ServiceAccount'],
    });
    for (const name of ['n1', 'n2']) {
      await server.admin.create('/api/v1/nodes', {
        ...{ kind: 'Node', apiVersion: 'v1', metadata: { name } },
        status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
      });
      await server.admin.expect('PATCH', `/api/v1/nodes/${name}`, {
        body: { spec: { taints: null } },
        contentType: 'application/merge-patch+json',
      });
    }
  });
  after(() => server.stop());

  const list = async (): Promise<SeenPod[]> => (await server.admin.expect('GET', pods)).items;
  const become = (name: string, status: string, phase = 'Running') =>
    server.admin.expect('PATCH', `${pods}/${name}/status`, {
      body: { status: { phase, conditions: [{ type: 'Ready', status }] } },
      contentType: 'application/merge-patch+json',
    });
  const onBoth = () =>
    eventually(async () => {
      const found = await list();
      return found
        .map(({ spec }) => spec.nodeName)
        .sort()
        .join() === 'n1,n2'
        ? found
        : undefined;
    });

  it('puts a pod on every node and tells how many are ready', async () => {
    const labels = { app: 'agent' };
    await server.admin.create(sets, {
      ...{ kind: 'DaemonSet', apiVersion: 'apps/v1', metadata: { name: 'agent' } },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'a' }] } },
      },
    });
    for (const { metadata } of await onBoth()) await become(metadata.name, 'True');
    await eventually(async () => {
      const { status } = await server.admin.expect('GET', `${sets}/agent`);
      return status.numberAvailable === 2 && status.observedGeneration === 1 ? true : undefined;
    });
  });

  it('takes them to another template one after the other', async () => {
    const before = await list();
    await server.admin.expect('PATCH', `${sets}/agent`, {
      body: { spec: { template: { spec: { containers: [{ name: 'c', image: 'b' }] } } } },
      contentType: 'application/strategic-merge-patch+json',
    });
    const going = await eventually(async () => {
      const { items } = await server.admin.expect('GET', pods);
      return items.find((pod: { metadata: object }) => 'deletionTimestamp' in pod.metadata);
    });
    const body = { gracePeriodSeconds: 0 };
    await server.admin.expect('DELETE', `${pods}/${going.metadata.name}`, { body });
    const after = await onBoth();
    const kept = after.filter(({ metadata }) => before.some((pod) => pod.metadata.uid === metadata.uid));
    expect(kept).to.have.lengthOf(1);
    const [created] = after.filter((pod) => !kept.includes(pod));
    expect(created?.metadata.labels['pod-template-generation']).to.equal('2');
    const { items } = await server.admin.expect(
      'GET',
      '/apis/apps/v1/namespaces/default/controllerrevisions',
    );
    const revisions = items.map(({ revision }: { revision: number }) => revision);
    expect(revisions.sort()).to.deep.equal([1, 2]);
  });

  it('replaces a pod that failed, and says why', async () => {
    const [failed] = await list();
    if (failed === undefined) throw new Error('there is no pod');
    const { name, uid } = failed.metadata;
    await become(name, 'False', 'Failed');
    await eventually(async () =>
      (await list()).every((pod) => pod.metadata.uid !== uid) ? true : undefined,
    );
    await onBoth();
    const { items } = await eventually(async () => {
      const events = await server.admin.expect(
        'GET',
        `${inNamespace('default', 'events')}?fieldSelector=reason=FailedDaemonPod`,
      );
      return events.items.length > 0 ? events : undefined;
    });
    expect(items[0].message).to.match(
      /^Found failed daemon pod default\/agent-\w+ on node n\d, will try to kill it$/,
    );
  });

  it('keeps one revision of a template, the newest, and the pods of the others', async () => {
    const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions';
    const { items } = await server.admin.expect('GET', revisions);
    const [newest] = items.sort(
      (a: { revision: number }, b: { revision: number }) => b.revision - a.revision,
    );
    const hashOf = ({ metadata }: SeenPod) => metadata.labels['controller-revision-hash'];
    const before = (await list()).filter((pod) => hashOf(pod) === hashOf(newest));
    expect(before).to.have.lengthOf.above(0);
    await server.admin.create(revisions, {
      ...{ kind: 'ControllerRevision', apiVersion: 'apps/v1', revision: 99, data: newest.data },
      metadata: { name: 'twin', labels: { app: 'agent' } },
    });
    let looks = 0;
    const left = await eventually(async () => {
      // Nothing but a change of the set has its history looked at.
      await server.admin.expect('PATCH', `${sets}/agent`, {
        body: { metadata: { annotations: { look: String(looks++) } } },
        contentType: 'application/merge-patch+json',
      });
      const { items: all } = await server.admin.expect('GET', revisions);
      return all.some(({ metadata }: SeenPod) => metadata.name === newest.metadata.name) ? undefined : all;
    });
    const twin = left.find(({ metadata }: SeenPod) => metadata.name === 'twin');
    expect(twin.metadata.ownerReferences[0].name).to.equal('agent');
    expect(hashOf(twin)).to.equal('twin');
    const after = new Map((await list()).map((pod) => [pod.metadata.uid, hashOf(pod)]));
    for (const { metadata } of before) expect(after.get(metadata.uid)).to.equal('twin');
  });

  it('shows what its queue does in the metrics of the server', async () => {
    const { text } = await server.admin.send('GET', '/metrics');
    expect(text).to.match(/^workqueue_adds_total\{name="daemonset"\} [1-9]/m);
    expect(text).to.match(/^workqueue_work_duration_seconds_count\{name="daemonset"\} [1-9]/m);
  });
});
