import { expect } from 'chai';
import type { ApiClient, JsonObject } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { createRecordingLogger } from '../support/recording-logger.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const nodes = '/api/v1/nodes';
const pods = '/api/v1/namespaces/default/pods';
const strategic = 'application/strategic-merge-patch+json';
/** Nobody takes away the taint of new nodes here. */
const flags = ['--controllers=scheduler', '--disable-admission-plugins=ServiceAccount,TaintNodesByCondition'];

const nodeOf = (name: string, cpu = '4'): JsonObject => ({
  kind: 'Node',
  apiVersion: 'v1',
  metadata: { name, labels: { 'orch.io/hostname': name } },
  status: { allocatable: { cpu, memory: '8Gi', pods: '110' }, capacity: { cpu, memory: '8Gi', pods: '110' } },
});
const podOf = (name: string, spec: object = {}, cpu = '1'): JsonObject => ({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }], ...spec },
});

describe('the scheduler', () => {
  let server: TestServer;
  let admin: ApiClient;
  let logger: ReturnType<typeof createRecordingLogger>;
  beforeEach(async () => {
    logger = createRecordingLogger();
    server = await startTestServer({ flags, logger });
    admin = server.admin;
  });
  afterEach(() => server.stop());

  const read = async (name: string): Promise<JsonObject> => (await admin.get(`${pods}/${name}`)).body;
  const nodeNameOf = async (name: string): Promise<string | undefined> => (await read(name)).spec.nodeName;
  /** Waits until a pod has its node. */
  const placed = (name: string): Promise<string> => eventually(() => nodeNameOf(name));
  const waiting = (name: string): Promise<JsonObject> =>
    eventually(async () => {
      const { status } = await read(name);
      return status.conditions?.find(({ type }: JsonObject) => type === 'PodScheduled');
    });
  /** Waits until there are events about a pod. */
  const eventsOf = (name: string): Promise<string[]> =>
    eventually(async () => {
      const events = await knownEventsOf(name);
      return events.length === 0 ? undefined : events;
    });
  const knownEventsOf = async (name: string): Promise<string[]> => {
    const { body } = await admin.get('/apis/events.orch.io/v1/namespaces/default/events');
    return body.items
      .filter(({ regarding }: JsonObject) => regarding.name === name)
      .map(({ type, reason, action, note, reportingController }: JsonObject) =>
        [reportingController, type, reason, action, note].join(' | '),
      );
  };

  it('gives pods nodes, and says so', async () => {
    await admin.create(nodes, nodeOf('n1'));
    await admin.create(pods, podOf('p'));
    expect(await placed('p')).to.equal('n1');
    expect(await eventsOf('p')).to.deep.equal([
      'default-scheduler | Normal | Scheduled | Binding | Successfully assigned default/p to n1',
    ]);
    const { status } = await read('p');
    expect(status.conditions.map(({ type, status }: JsonObject) => `${type}=${status}`)).to.include(
      'PodScheduled=True',
    );
  });

  it('says why a pod waits, and places it when that ends', async () => {
    await admin.create(nodes, nodeOf('n1', '1'));
    await admin.create(pods, podOf('p', {}, '2'));
    const message = '0/1 nodes are available: 1 Insufficient cpu.';
    expect(await waiting('p')).to.include({ status: 'False', reason: 'Unschedulable', message });
    // It is tried again when its condition was written, and told of again.
    const failed = `default-scheduler | Warning | FailedScheduling | Scheduling | ${message}`;
    expect(new Set(await eventsOf('p'))).to.deep.equal(new Set([failed]));
    await admin.create(nodes, nodeOf('n2', '2'));
    expect(await placed('p')).to.equal('n2');
  });

  it('leaves pods of other schedulers alone', async () => {
    await admin.create(nodes, nodeOf('n1'));
    await admin.create(pods, podOf('other', { schedulerName: 'other' }));
    await admin.create(pods, podOf('p'));
    await placed('p');
    const { spec, status } = await read('other');
    expect([spec.nodeName, status.conditions]).to.deep.equal([undefined, undefined]);
  });

  it('says that it passes over pods that are going', async () => {
    await admin.create(nodes, nodeOf('n1'));
    await admin.create(pods, podOf('p', { nodeSelector: { no: 'where' } }));
    await waiting('p');
    await admin.expect('DELETE', `${pods}/p`);
    const expected =
      'default-scheduler | Warning | FailedScheduling | Scheduling | skip schedule deleting pod: default/p';
    await eventually(async () => (await eventsOf('p')).find((text) => text === expected));
  });

  it('makes room for pods of higher priority', async () => {
    await admin.create(nodes, nodeOf('n1', '1'));
    await admin.create('/apis/scheduling.orch.io/v1/priorityclasses', {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.orch.io/v1',
      metadata: { name: 'high' },
      value: 1000,
    });
    await admin.create(pods, podOf('low', { terminationGracePeriodSeconds: 0 }));
    await placed('low');
    await admin.create(pods, podOf('high', { priorityClassName: 'high' }));
    expect(await placed('high')).to.equal('n1');
    expect((await admin.get(`${pods}/low`)).code).to.equal(404);
    const preempted = 'Preempted by default/high on node n1';
    await eventually(async () => (await eventsOf('low')).find((text) => text.endsWith(preempted)));
    expect((await read('high')).status.nominatedNodeName).to.equal('n1');
  });

  it('makes no room where a pod cannot be deleted, and tells of none', async () => {
    await admin.create(nodes, nodeOf('n1', '1'));
    await admin.create('/apis/scheduling.orch.io/v1/priorityclasses', {
      metadata: { name: 'high' },
      value: 1000,
    });
    await admin.create(pods, podOf('low'));
    await placed('low');
    const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['DELETE'] }];
    const clientConfig = { service: { namespace: 'default', name: 'nobody' } };
    const hook = {
      name: 'x.example.com',
      rules,
      clientConfig,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    await admin.create('/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations', {
      metadata: { name: 'x' },
      webhooks: [hook],
    });
    await admin.create(pods, podOf('high', { priorityClassName: 'high' }));
    await waiting('high');
    await eventsOf('high');
    expect((await read('high')).status.nominatedNodeName).to.equal(undefined);
    expect(await knownEventsOf('low')).to.not.satisfy((events: string[]) =>
      events.some((text) => text.includes('Preempted')),
    );
  });

  it('takes back that room is made for a pod where no pod is in its way', async () => {
    await admin.create(nodes, { ...nodeOf('n1'), spec: { unschedulable: true } });
    await admin.create(pods, podOf('p'));
    await waiting('p');
    await admin.send('PATCH', `${pods}/p/status`, {
      contentType: strategic,
      body: { status: { nominatedNodeName: 'n1' } },
    });
    await eventually(async () =>
      (await read('p')).status.nominatedNodeName === undefined ? true : undefined,
    );
  });

  it('tries another node for a pod whose volume cannot be made on the first', async () => {
    await admin.create(nodes, nodeOf('n1'));
    await admin.create('/apis/storage.orch.io/v1/storageclasses', {
      kind: 'StorageClass',
      apiVersion: 'storage.orch.io/v1',
      metadata: { name: 'late' },
      provisioner: 'x.io/disks',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const resources = { requests: { storage: '1Gi' } };
    await admin.create(claims, {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName: 'late', resources },
    });
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
    await admin.create(pods, podOf('p', { volumes }));
    const selected = 'volume.orch.io/selected-node';
    await eventually(async () => (await admin.get(`${claims}/c`)).body.metadata.annotations?.[selected]);
    await admin.send('PATCH', `${claims}/c`, {
      contentType: 'application/merge-patch+json',
      body: { metadata: { annotations: { [selected]: null } } },
    });
    expect(await waiting('p')).to.include({
      status: 'False',
      reason: 'SchedulerError',
      message:
        'running PreBind plugin "VolumeBinding": binding volumes: selectedNode annotation reset for PVC "c"',
    });
  });

  it('gives each of many pods that come at once its room', async () => {
    for (const name of ['n1', 'n2', 'n3']) await admin.create(nodes, nodeOf(name));
    const names = Array.from({ length: 14 }, (_, at) => `p${at}`);
    await Promise.all(names.map((name) => admin.create(pods, podOf(name))));
    const counts = async (): Promise<Record<string, number>> => {
      const { body } = await admin.get(pods);
      const found: Record<string, number> = {};
      for (const { spec } of body.items)
        found[spec.nodeName ?? 'none'] = (found[spec.nodeName ?? 'none'] ?? 0) + 1;
      return found;
    };
    await eventually(async () => ((await counts()).none === 2 ? true : undefined));
    expect(await counts()).to.deep.equal({ none: 2, n1: 4, n2: 4, n3: 4 });
    await admin.send('PATCH', `${nodes}/n1/status`, {
      contentType: strategic,
      body: { status: { allocatable: { cpu: '6' }, capacity: { cpu: '6' } } },
    });
    for (const name of names) await placed(name);
  });

  it('follows pods only until the first one waits', async () => {
    const watched = async (kind: string): Promise<number> => {
      const { text } = await admin.get('/metrics');
      const gauge = /^apiserver_registered_watchers\{(.*)\} (\d+)$/gm;
      const lines = [...text.matchAll(gauge)].filter(([, labels]) => labels?.includes(`kind="${kind}"`));
      return lines.reduce((sum, [, , value]) => sum + Number(value), 0);
    };
    await eventually(async () => ((await watched('Pod')) > 0 ? true : undefined));
    expect(await watched('Node')).to.equal(0);
    await admin.create(pods, podOf('p'));
    await waiting('p');
    expect([await watched('Node'), await watched('PersistentVolume')]).to.deep.equal([1, 0]);
  });

  it('binds volumes to claims that waited for their pod', async () => {
    for (const name of ['n1', 'n2']) await admin.create(nodes, nodeOf(name));
    await admin.create('/apis/storage.orch.io/v1/storageclasses', {
      kind: 'StorageClass',
      apiVersion: 'storage.orch.io/v1',
      metadata: { name: 's' },
      provisioner: 'orch.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const matchExpressions = [{ key: 'orch.io/hostname', operator: 'In', values: ['n2'] }];
    await admin.create('/api/v1/persistentvolumes', {
      kind: 'PersistentVolume',
      apiVersion: 'v1',
      metadata: { name: 'v' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: 's',
        hostPath: { path: '/x' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } },
      },
    });
    const patch = (path: string, body: object) => admin.send('PATCH', path, { contentType: strategic, body });
    await patch('/api/v1/persistentvolumes/v/status', { status: { phase: 'Available' } });
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    await admin.create(claims, {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      metadata: { name: 'c' },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: 's',
        resources: { requests: { storage: '1Gi' } },
      },
    });
    await admin.create(
      pods,
      podOf('p', { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }] }),
    );
    const volume = await eventually(async () => {
      const { body } = await admin.get('/api/v1/persistentvolumes/v');
      return body.spec.claimRef === undefined ? undefined : body;
    });
    expect(volume.spec.claimRef).to.include({ namespace: 'default', name: 'c' });
    expect(volume.metadata.annotations).to.include({ 'pv.orch.io/bound-by-controller': 'yes' });
    expect(await nodeNameOf('p')).to.equal(undefined);
    // What the controller of volumes does.
    await patch(`${claims}/c`, {
      metadata: { annotations: { 'pv.orch.io/bind-completed': 'yes' } },
      spec: { volumeName: 'v' },
    });
    expect(await placed('p')).to.equal('n2');
  });

  it('leaves disks of clouds to the limits of drivers, where a gate and the node say so', async () => {
    await server.stop();
    server = await startTestServer({
      flags: [...flags, '--feature-gates=CSIMigrationProvider1=true'],
      logger,
    });
    admin = server.admin;
    for (const name of ['n1', 'n2']) {
      const { metadata, status, ...node } = nodeOf(name);
      const allocatable = { ...status.allocatable, 'attachable-volumes-aws-ebs': '0' };
      await admin.create(nodes, { ...node, metadata, status: { ...status, allocatable } });
    }
    const disks = (plugins: string) => ({ 'storage.alpha.orch.io/migrated-plugins': plugins });
    for (const [name, plugins] of Object.entries({ n1: 'orch.io/gce-pd', n2: 'orch.io/aws-ebs' })) {
      await admin.create('/apis/storage.orch.io/v1/csinodes', {
        kind: 'CSINode',
        apiVersion: 'storage.orch.io/v1',
        metadata: { name, annotations: disks(plugins) },
        spec: { drivers: [] },
      });
    }
    const volumes = [{ name: 'v', awsElasticBlockStore: { volumeID: 'vol-1' } }];
    await admin.create(pods, podOf('p', { volumes }));
    expect(await placed('p')).to.equal('n2');
  });

  it('places other pods while many wait for volumes that nobody makes', async () => {
    await admin.create(nodes, nodeOf('n1', '100'));
    await admin.create('/apis/storage.orch.io/v1/storageclasses', {
      kind: 'StorageClass',
      apiVersion: 'storage.orch.io/v1',
      metadata: { name: 's' },
      provisioner: 'example.com/disks',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const claims = '/api/v1/namespaces/default/persistentvolumeclaims';
    const names = Array.from({ length: 40 }, (_, at) => `c${at}`);
    for (const name of names) {
      await admin.create(claims, {
        kind: 'PersistentVolumeClaim',
        apiVersion: 'v1',
        metadata: { name },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: 's',
          resources: { requests: { storage: '1' } },
        },
      });
      const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: name } }];
      await admin.create(pods, podOf(name, { volumes }));
    }
    const selected = 'volume.orch.io/selected-node';
    await eventually(async () => {
      const { body } = await admin.get(claims);
      const isAsked = ({ metadata }: JsonObject) => metadata.annotations?.[selected] === 'n1';
      return body.items.every(isAsked) ? true : undefined;
    });
    await admin.create(pods, podOf('p'));
    expect(await placed('p')).to.equal('n1');
    // Deleted pods give their room back.
    for (const name of names) await admin.expect('DELETE', `${pods}/${name}?gracePeriodSeconds=0`);
    await admin.create(pods, podOf('large', {}, '99'));
    expect(await placed('large')).to.equal('n1');
  });

  it('rests while another scheduler holds its record', async () => {
    await admin.create('/apis/coordination.orch.io/v1/namespaces/orch-system/leases', {
      kind: 'Lease',
      apiVersion: 'coordination.orch.io/v1',
      metadata: { name: 'orch-scheduler' },
      spec: { holderIdentity: 'other', leaseDurationSeconds: 3600 },
    });
    await eventually(async () =>
      logger.lines.some(({ message }) => message.startsWith('placement of pods rests')) ? true : undefined,
    );
    await admin.create(nodes, nodeOf('n1'));
    await admin.create(pods, podOf('p'));
    const lease = '/apis/coordination.orch.io/v1/namespaces/orch-system/leases/orch-scheduler';
    expect(await nodeNameOf('p')).to.equal(undefined);
    await admin.expect('DELETE', lease);
    expect(await placed('p')).to.equal('n1');
  });
});
