import { expect } from 'chai';
import type { Lease } from '../../../src/apis/types/coordination-v1.ts';
import type { Event, Node, NodeStatus } from '../../../src/apis/types/core-v1.ts';
import { systemClock } from '../../../src/base/index.ts';
import { createRestClient, type RestClient, TransportError } from '../../../src/client/rest/index.ts';
import { createDialect, type Dialect, orchDialect } from '../../../src/machinery/dialect.ts';
import { createEventRecorder } from '../../../src/nodeagent/events/index.ts';
import {
  createNodeKeeper,
  type NodeKeeper,
  type NodeKeeperOptions,
  type NodePressure,
  NodeRecord,
  RuntimeHealth,
} from '../../../src/nodeagent/node/index.ts';
import type { Image, RuntimeStatus } from '../../../src/nodeagent/runtime/index.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingLogger } from '../../support/recording-logger.ts';
import { startTestServer, type TestServer } from '../../support/test-server.ts';
import { agentConfig } from '../../unit/nodeagent/agent-config.ts';
import { machine } from '../../unit/nodeagent/node/machine.ts';

type StartedKeeper = NodeKeeper & { readonly record: NodeRecord };
type KeeperInputs = Omit<NodeKeeperOptions, 'record' | 'health' | OptionalInput> &
  Partial<Pick<NodeKeeperOptions, OptionalInput>> & { readonly runtime: SpokenRuntime };
type OptionalInput =
  | 'whenSettled'
  | 'problems'
  | 'lastProblems'
  | 'devices'
  | 'keepsExtended'
  | 'volumesInUse'
  | 'nodeConfig';

/** A keeper that was started, with its record; nothing else of the agent has anything to say of the node. */
async function startKeeper(inputs: KeeperInputs): Promise<StartedKeeper> {
  const health = new RuntimeHealth(inputs);
  const record = new NodeRecord({ ...inputs, health });
  const keeper = createNodeKeeper({
    whenSettled: Promise.resolve(),
    problems: () => [],
    lastProblems: () => [],
    devices: () => new Map(),
    keepsExtended: false,
    volumesInUse: () => [],
    nodeConfig: () => undefined,
    ...inputs,
    record,
    health,
  });
  await keeper.start();
  return Object.assign(keeper, { record });
}

/** A runtime that says of itself what the test wants. */
class SpokenRuntime {
  network = { isTrue: true, reason: '', message: '' };
  readonly podCidrs: string[] = [];

  status(): Promise<RuntimeStatus> {
    return Promise.resolve({
      conditions: [
        { type: 'RuntimeReady', isTrue: true, reason: '', message: '' },
        { type: 'NetworkReady', ...this.network },
      ],
      isRuntimeReady: true,
      isNetworkReady: this.network.isTrue,
    });
  }

  version() {
    return Promise.resolve({ name: 'containerd', version: '1.6.20', apiVersion: 'v1' });
  }

  setPodCidr(podCidr: string): Promise<void> {
    this.podCidrs.push(podCidr);
    return Promise.resolve();
  }
}

const image = (name: string, sizeBytes: number): Image => ({
  id: name,
  tags: [name],
  digests: [],
  sizeBytes,
  userId: undefined,
  username: '',
});
const calm: NodePressure = { memory: false, disk: false, pid: false };

/** An agent's node at a server. */
class Rig {
  readonly server: TestServer;
  readonly client: RestClient;
  readonly dialect: Dialect;
  readonly runtime = new SpokenRuntime();
  pressure = calm;
  readonly #ends: (() => Promise<void>)[] = [];

  constructor(server: TestServer, dialect: Dialect) {
    const { url, authorityPem: ca, adminCertificatePem: cert, adminKeyPem: key } = server.server;
    this.server = server;
    this.dialect = dialect;
    this.client = createRestClient({ connection: { server: url, tls: { ca, cert, key }, auth: {} } });
  }

  /** Starts to keep a node. */
  async keep(
    nodeName: string,
    flags: readonly string[] = [],
    more: Partial<KeeperInputs> = {},
  ): Promise<StartedKeeper> {
    const { client, dialect, runtime } = this;
    const config = agentConfig([
      '--orchconfig=/none',
      ...(flags.some((flag) => flag.startsWith('--node-ip=')) ? [] : ['--node-ip=0.0.0.0']),
      '--event-qps=0',
      '--root-dir=/',
      ...flags,
    ]);
    const logger = createRecordingLogger();
    const stop = new AbortController();
    const { signal } = stop;
    const events = createEventRecorder({
      client,
      config,
      nodeName,
      dialect,
      clock: systemClock,
      logger,
      signal,
    });
    const keeper = await startKeeper({
      client,
      config,
      machine,
      nodeName,
      runtime,
      images: () => Promise.resolve([image('localhost/a:1', 1), image('localhost/b:1', 2)]),
      pressure: () => this.pressure,
      port: 10250,
      release: 'v1.20.2',
      dialect,
      clock: systemClock,
      logger,
      events,
      ...more,
    });
    this.#ends.push(async () => {
      await keeper[Symbol.asyncDispose]();
      await events.whenIdle();
      stop.abort();
    });
    return keeper;
  }

  /** Stops all agents; their events are written. */
  async rest(): Promise<void> {
    for (const end of this.#ends.splice(0)) await end();
  }

  get = <T>(path: string): Promise<T> => this.client.json<T>({ method: 'GET', path });

  node = (name: string): Promise<Node> => this.get<Node>(`/api/v1/nodes/${name}`);

  /** The node once it looks right. */
  nodeWhen(name: string, isRight: (node: Node) => boolean): Promise<Node> {
    return eventually(async () => {
      const node = await this.node(name).catch(() => undefined); // not registered yet
      return node !== undefined && isRight(node) ? node : undefined;
    });
  }

  async events(name: string): Promise<string[]> {
    const query = `fieldSelector=involvedObject.name=${name}`;
    const { items } = await this.get<{ items: Event[] }>(`/api/v1/namespaces/default/events?${query}`);
    return items.map(({ type, reason, message }) => `${type} ${reason}: ${message}`).sort();
  }
}

const isReady = ({ status }: Node): boolean =>
  status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
const conditionsOf = ({ conditions }: NodeStatus): string[] =>
  (conditions ?? []).map(({ type, status, reason, message }) => `${type}=${status} ${reason}: ${message}`);
const calmConditions = [
  'MemoryPressure=False NodeAgentHasSufficientMemory: nodeagent has sufficient memory available',
  'DiskPressure=False NodeAgentHasNoDiskPressure: nodeagent has no disk pressure',
  'PIDPressure=False NodeAgentHasSufficientPID: nodeagent has sufficient PID available',
];
const notReadyTaint = { key: 'node.orch.io/not-ready', effect: 'NoSchedule' };

describe('a node keeper at a server', () => {
  let rig: Rig;
  before(async () => {
    rig = new Rig(await startTestServer(), orchDialect);
  });
  afterEach(async () => {
    await rig.rest();
    rig.pressure = calm;
  });
  after(async () => {
    rig.client.close();
    await rig.server.stop();
  });
  const state = (name: string, reason: string) => `Normal ${reason}: Node ${name} status is now: ${reason}`;

  it('registers the node, is ready, holds a lease and tells of it', async () => {
    const keeper = await rig.keep('plain');
    await keeper.whenRegistered;
    const { metadata, spec, status } = await rig.nodeWhen('plain', isReady);
    expect(metadata.labels).to.deep.equal({
      'beta.orch.io/arch': 'amd64',
      'beta.orch.io/os': 'linux',
      'orch.io/arch': 'amd64',
      'orch.io/hostname': 'plain',
      'orch.io/os': 'linux',
    });
    expect(metadata.annotations).to.deep.equal({
      'volumes.orch.io/controller-managed-attach-detach': 'true',
    });
    expect(spec).to.deep.equal({ taints: [notReadyTaint] });
    expect(conditionsOf(status)).to.deep.equal([
      ...calmConditions,
      'Ready=True NodeAgentReady: nodeagent is posting ready status',
    ]);
    expect(status.allocatable).to.include({ cpu: '2', memory: '24581684Ki', pods: '110' });
    expect(status.addresses?.map(({ type }) => type)).to.deep.equal(['InternalIP', 'Hostname']);
    expect(status.daemonEndpoints).to.deep.equal({ nodeAgentEndpoint: { Port: 10250 } });
    expect(status.nodeInfo).to.deep.equal({
      machineID: 'm-id',
      systemUUID: 's-id',
      bootID: 'b-id',
      kernelVersion: '6.1.0',
      osImage: 'Debian',
      containerRuntimeVersion: 'containerd://1.6.20',
      nodeAgentVersion: 'v1.20.2',
      orchProxyVersion: 'v1.20.2',
      operatingSystem: 'linux',
      architecture: 'amd64',
    });
    expect(status.images).to.deep.equal([
      { names: ['localhost/b:1'], sizeBytes: 2 },
      { names: ['localhost/a:1'], sizeBytes: 1 },
    ]);
    const path = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases/plain';
    const lease = await eventually(() => rig.get<Lease>(path).catch(() => undefined));
    expect(lease.metadata.ownerReferences).to.deep.equal([
      { apiVersion: 'v1', kind: 'Node', name: 'plain', uid: metadata.uid },
    ]);
    expect(lease.spec).to.include({ holderIdentity: 'plain', leaseDurationSeconds: 40 });
    await rig.rest();
    expect(await rig.events('plain')).to.deep.equal([
      state('plain', 'NodeHasNoDiskPressure'),
      state('plain', 'NodeHasSufficientMemory'),
      state('plain', 'NodeHasSufficientPID'),
      state('plain', 'NodeReady'),
      'Normal Starting: Starting nodeagent.',
    ]);
  });

  it('registers taints, those of the server after them, and a node that takes no pods', async () => {
    const flags = ['--register-with-taints=a=b:NoSchedule', '--register-schedulable=false'];
    await rig.keep('tainted', flags);
    const { spec } = await rig.nodeWhen('tainted', isReady);
    expect(spec).to.deep.equal({
      unschedulable: true,
      taints: [
        { key: 'a', value: 'b', effect: 'NoSchedule' },
        { key: 'node.orch.io/unschedulable', effect: 'NoSchedule' },
        notReadyTaint,
      ],
    });
    await rig.rest();
    expect(await rig.events('tainted')).to.include(state('tainted', 'NodeNotSchedulable'));
  });

  it('gives a node that exists no labels and taints of options, but new amounts', async () => {
    await rig.keep('again', ['--node-labels=a=1', '--register-with-taints=t=1:NoSchedule']);
    await rig.nodeWhen('again', isReady);
    await rig.rest();
    await rig.keep('again', [
      '--node-labels=a=2,b=3',
      '--register-with-taints=u=1:NoSchedule',
      '--max-pods=40',
      '--register-schedulable=false',
    ]);
    const { metadata, spec } = await rig.nodeWhen('again', ({ status }) => status.capacity?.pods === '40');
    expect(metadata.labels).to.include({ a: '1' }).and.not.to.have.property('b');
    expect(spec).to.deep.equal({ taints: [{ key: 't', value: '1', effect: 'NoSchedule' }, notReadyTaint] });
    await rig.rest();
    const events = await rig.events('again');
    expect(events).to.include.members([
      state('again', 'NodeNotSchedulable'),
      state('again', 'NodeSchedulable'),
    ]);
  });

  it('takes a node over that somebody else has made and described', async () => {
    const path = '/api/v1/nodes';
    const metadata = { name: 'made', labels: { mine: 'x', 'orch.io/os': 'old' } };
    await rig.client.json({ method: 'POST', path, body: { kind: 'Node', apiVersion: 'v1', metadata } });
    const other = { type: 'NetworkUnavailable', status: 'False', reason: 'r', message: 'm' };
    const lost = { type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown', message: 'm' };
    await rig.client.json({
      method: 'PATCH',
      path: `${path}/made/status`,
      contentType: 'application/merge-patch+json',
      body: {
        status: {
          capacity: { cpu: '64', 'example.com/thing': '3' },
          allocatable: { cpu: '64', 'example.com/thing': '3' },
          conditions: [other, lost],
          addresses: [{ type: 'ExternalIP', address: '203.0.113.1' }],
          nodeInfo: { bootID: 'other' },
        },
      },
    });
    await rig.keep('made');
    const node = await rig.nodeWhen('made', isReady);
    expect(node.metadata.labels).to.include({ mine: 'x', 'orch.io/os': 'linux', 'orch.io/hostname': 'made' });
    expect(node.status.capacity).to.include({ cpu: '2', 'example.com/thing': '0' });
    expect(node.status.allocatable).to.include({ cpu: '2', 'example.com/thing': '0' });
    expect(node.status.conditions?.[0]).to.include({ type: 'NetworkUnavailable', reason: 'r' });
    expect(node.status.conditions).to.have.length(5);
    expect(node.status.addresses?.map(({ type }) => type)).to.deep.equal(['InternalIP', 'Hostname']);
    await rig.rest();
    expect(await rig.events('made')).to.include.members([
      'Warning Rebooted: Node made has been rebooted, boot id: b-id',
      state('made', 'NodeReady'),
    ]);
  });

  it('makes no node and no lease when it must not', async () => {
    const keeper = await rig.keep('absent', ['--register-node=false']);
    await keeper.update();
    const paths = [
      '/api/v1/nodes/absent',
      '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases/absent',
    ];
    for (const path of paths) {
      const code = await rig.get(path).catch((error: { readonly code: number }) => error.code);
      expect(code, path).to.equal(404);
    }
    expect(keeper.record.node).to.equal(undefined);
    await rig.rest();
    expect(await rig.events('absent')).to.include.members([
      state('absent', 'NodeHasSufficientMemory'),
      'Normal Starting: Starting nodeagent.',
    ]);
  });

  it('keeps the status of a node that it must not make, once it is there', async () => {
    const keeper = await rig.keep('later', ['--register-node=false', '--node-status-update-frequency=100ms']);
    const body = { kind: 'Node', apiVersion: 'v1', metadata: { name: 'later', labels: { x: 'y' } } };
    await rig.client.json({ method: 'POST', path: '/api/v1/nodes', body });
    const { metadata } = await rig.nodeWhen('later', isReady);
    expect(metadata.labels).to.deep.equal({ x: 'y' });
    expect(keeper.record.state().labels).to.deep.equal({ x: 'y' });
  });

  it('has no addresses when the given one is nowhere, and is ready all the same', async () => {
    const keeper = await rig.keep('foreign', ['--node-ip=192.0.2.99']);
    const { status } = await rig.nodeWhen('foreign', isReady);
    expect(status).not.to.have.property('addresses');
    expect(keeper.record.state().hostIps).to.deep.equal([]);
  });

  it('shows pressure, and when it is over', async () => {
    const keeper = await rig.keep('pressed');
    await rig.nodeWhen('pressed', isReady);
    rig.pressure = { memory: true, disk: true, pid: true };
    await keeper.update();
    expect(conditionsOf((await rig.node('pressed')).status).slice(0, 3)).to.deep.equal([
      'MemoryPressure=True NodeAgentHasInsufficientMemory: nodeagent has insufficient memory available',
      'DiskPressure=True NodeAgentHasDiskPressure: nodeagent has disk pressure',
      'PIDPressure=True NodeAgentHasInsufficientPID: nodeagent has insufficient PID available',
    ]);
    rig.pressure = calm;
    await keeper.update();
    expect(conditionsOf((await rig.node('pressed')).status).slice(0, 3)).to.deep.equal(calmConditions);
    await rig.rest();
    expect(await rig.events('pressed')).to.include.members([
      state('pressed', 'NodeHasInsufficientMemory'),
      state('pressed', 'NodeHasDiskPressure'),
      state('pressed', 'NodeHasInsufficientPID'),
    ]);
  });

  it('is not ready without a network of pods, with all that is wrong', async () => {
    rig.runtime.network = { isTrue: false, reason: 'NetworkPluginNotReady', message: 'not yet' };
    try {
      await rig.keep('lonely', [], {
        problems: () => ['PLEG is not healthy: late'],
        lastProblems: () => ['node is shutting down'],
      });
      const ready = ({ status }: Node) =>
        status.conditions?.find(({ type }) => type === 'Ready')?.message ?? '';
      const node = await rig.nodeWhen('lonely', (one) => ready(one).includes('network'));
      expect(ready(node)).to.equal(
        '[PLEG is not healthy: late, runtime network not ready: ' +
          'NetworkReady=false reason:NetworkPluginNotReady message:not yet, node is shutting down]',
      );
    } finally {
      rig.runtime.network = { isTrue: true, reason: '', message: '' };
    }
  });

  it('stays ready over a restart of its agent, whose parts look for problems first', async () => {
    await rig.keep('again');
    await rig.nodeWhen('again', isReady);
    await rig.rest();
    const settled = Promise.withResolvers<void>();
    let problems = ['CSINode is not yet initialized'];
    const keeper = await rig.keep('again', [], {
      whenSettled: settled.promise,
      lastProblems: () => problems,
    });
    await keeper.whenRegistered;
    const updated = keeper.update();
    // Whatever would not wait has its turn.
    for (let turn = 0; turn < 20; turn++) await rig.node('again');
    problems = [];
    settled.resolve();
    await updated;
    await rig.rest();
    expect(isReady(await rig.node('again'))).to.equal(true);
    expect(await rig.events('again')).to.not.include(state('again', 'NodeNotReady'));
  });

  it('says what is wrong when its parts find nothing out', async () => {
    const keeper = await rig.keep('unsettled', [], {
      whenSettled: new Promise(() => {}),
      lastProblems: () => ['CSINode is not yet initialized'],
    });
    await keeper.update();
    expect(isReady(await rig.node('unsettled'))).to.equal(false);
  });

  it('writes nothing while nothing changes', async () => {
    const keeper = await rig.keep('quiet');
    await rig.nodeWhen('quiet', isReady);
    await keeper.update();
    const before = await rig.node('quiet');
    await keeper.update();
    expect((await rig.node('quiet')).metadata.resourceVersion).to.equal(before.metadata.resourceVersion);
  });

  it('writes what has not changed when it is due', async () => {
    const config = { ...agentConfig(['--orchconfig=/none', '--root-dir=/']), nodeStatusReportFrequencyMs: 0 };
    const keeper = await rig.keep('due', [], { config });
    await rig.nodeWhen('due', isReady);
    await keeper.update();
    const before = await rig.node('due');
    // Heartbeats have whole seconds: the same one would change nothing.
    const later = { ...systemClock, nowMs: () => Date.now() + 5000 };
    await rig.rest();
    const next = await rig.keep('due', [], { config, clock: later });
    await rig.nodeWhen('due', isReady);
    await next.update();
    const heartbeat = ({ status }: Node) => status.conditions?.[0]?.lastHeartbeatTime ?? '';
    expect(heartbeat(await rig.node('due')) > heartbeat(before)).to.equal(true);
  });

  it('sets right what others made of it while it could not reach the server, once it can', async () => {
    const name = 'away';
    const { client } = rig;
    let isAway = false;
    let refusals = 0;
    const config = agentConfig([
      ...['--orchconfig=/none', '--node-ip=0.0.0.0', '--root-dir=/', '--node-status-update-frequency=1h'],
    ]);
    await rig.keep(name, [], {
      config: { ...config, nodeLeaseDurationSeconds: 1 },
      client: {
        ...client,
        json: <T>(request: Parameters<RestClient['json']>[0]): Promise<T> => {
          if (!isAway) return client.json<T>(request);
          refusals++;
          return Promise.reject(new TransportError('refused', 'no', { host: 'h' }));
        },
      },
    });
    const isReadyAs = (status: string) => (node: Node) =>
      (node.status.conditions ?? []).some((one) => one.type === 'Ready' && one.status === status);
    const { status } = await rig.nodeWhen(name, isReadyAs('True'));
    isAway = true;
    const conditions = (status.conditions ?? []).map((one) => ({ ...one, status: 'Unknown' }));
    await client.json({
      method: 'PATCH',
      path: `/api/v1/nodes/${name}/status`,
      contentType: 'application/strategic-merge-patch+json',
      body: { status: { conditions } },
    });
    await eventually(async () => refusals > 0 || undefined);
    isAway = false;
    await rig.nodeWhen(name, isReadyAs('True'));
  });

  it('tells the runtime the range of pod addresses', async () => {
    const keeper = await rig.keep('ranged', ['--node-status-update-frequency=100ms']);
    await rig.nodeWhen('ranged', isReady);
    await rig.client.json({
      method: 'PATCH',
      path: '/api/v1/nodes/ranged',
      contentType: 'application/merge-patch+json',
      body: { spec: { podCIDR: '10.9.0.0/24', podCIDRs: ['10.9.0.0/24'] } },
    });
    await eventually(async () => rig.runtime.podCidrs.find((one) => one === '10.9.0.0/24'));
    expect(keeper.record.node?.spec.podCIDR).to.equal('10.9.0.0/24');
  });

  it('does not make a node again that was deleted', async () => {
    const keeper = await rig.keep('deleted', ['--node-status-update-frequency=100ms']);
    await rig.nodeWhen('deleted', isReady);
    await rig.client.json({ method: 'DELETE', path: '/api/v1/nodes/deleted' });
    await eventually(async () => (keeper.record.node === undefined ? true : undefined));
    await keeper.update();
    const code = await rig.node('deleted').catch((error: { readonly code: number }) => error.code);
    expect(code).to.equal(404);
  });
});

describe('a node keeper without a server', () => {
  it('knows the same of its node', async () => {
    const runtime = new SpokenRuntime();
    const events: string[] = [];
    await using keeper = await startKeeper({
      client: undefined,
      config: agentConfig(['--pod-cidr=10.8.0.0/24', '--node-labels=a=b', '--root-dir=/']),
      machine,
      nodeName: 'alone',
      runtime,
      images: () => Promise.resolve([]),
      pressure: () => calm,
      port: 10250,
      release: 'v1.20.2',
      dialect: orchDialect,
      clock: systemClock,
      logger: createRecordingLogger(),
      events: { record: ({ reason }) => void events.push(reason) },
    });
    await keeper.whenRegistered;
    await eventually(async () => (keeper.record.state().isNetworkReady ? true : undefined));
    await keeper.update();
    const { capacity, labels, addresses, conditions } = keeper.record.state();
    expect(capacity).to.include({ cpu: '2', pods: '110' });
    expect(labels).to.include({ a: 'b', 'orch.io/hostname': 'alone' });
    expect(addresses.at(-1)).to.deep.equal({ type: 'Hostname', address: 'alone' });
    expect(conditions.at(-1)).to.include({ type: 'Ready', status: 'True' });
    expect(keeper.record.node).to.equal(undefined);
    expect(runtime.podCidrs).to.deep.equal(['10.8.0.0/24']);
    expect(events).to.include.members(['Starting', 'NodeReady']);
  });
});

describe('a node keeper in the other dialect', () => {
  it('spells fields, labels and conditions as the server does', async () => {
    const dialect = createDialect('kubernetes');
    const rig = new Rig(await startTestServer({ flags: [`--dialect=${dialect.name}`] }), dialect);
    try {
      await rig.keep('other');
      const { metadata, status } = await rig.nodeWhen('other', isReady);
      expect(metadata.labels).to.have.property(dialect.label('hostname'), 'other');
      expect(status.nodeInfo).to.have.property(dialect.spell('nodeAgentVersion'), 'v1.20.2');
      expect(status.daemonEndpoints).to.deep.equal({ [dialect.spell('nodeAgentEndpoint')]: { Port: 10250 } });
      expect(conditionsOf(status).at(-1)).to.equal(
        dialect.spell('Ready=True NodeAgentReady: nodeagent is posting ready status'),
      );
      const path = `/apis/${dialect.group('coordination')}/v1/namespaces/${dialect.nodeLeaseNamespace}/leases/other`;
      await eventually(() => rig.get(path).catch(() => undefined));
    } finally {
      await rig.rest();
      rig.client.close();
      await rig.server.stop();
    }
  });
});
