import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Pod } from '../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../src/machinery/dialect.ts';
import type { CpuHold } from '../../../src/nodeagent/cpu-manager/index.ts';
import {
  DeviceManager,
  type DeviceManagerOptions,
  parseCheckpoint,
  startPodResources,
} from '../../../src/nodeagent/devices/index.ts';
import podResources from '../../../src/nodeagent/devices/pod-resources-protocol.json' with { type: 'json' };
import { ServiceClient } from '../../../src/nodeagent/grpc/service-client.ts';
import { DevicePlugin, type DevicePluginOptions } from '../../support/device-plugin-process.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingLogger, type RecordingLogger } from '../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts';
import { ManualClock } from '../../unit/storage/manual-clock.ts';

const resource = 'vendor.com/card';

function podOf(uid: string, counts: readonly number[], initCount = 0, name = resource): Pod {
  const container = (each: string, count: number) => ({
    name: each,
    image: 'a',
    resources: count === 0 ? {} : { limits: { [name]: String(count) }, requests: { [name]: String(count) } },
  });
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { uid, name: uid, namespace: 'default' },
    spec: {
      containers: counts.map((count, index) => container(`c${index}`, count)),
      ...(initCount === 0 ? {} : { initContainers: [container('init', initCount)] }),
    },
    status: {},
  };
}

describe('DeviceManager', () => {
  let directory: TemporaryDirectory;
  let folder: string;
  let clock: ManualClock;
  let logger: RecordingLogger;
  let manager: DeviceManager;
  const plugins: DevicePlugin[] = [];
  const holds = new Map<string, CpuHold>();
  let changes = 0;
  /** What was counted. */
  const counted: string[] = [];

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    folder = join(directory.path, 'device-plugins');
    clock = new ManualClock(0);
    logger = createRecordingLogger();
    holds.clear();
    changes = 0;
    counted.length = 0;
    manager = await open();
  });
  afterEach(async () => {
    await manager[Symbol.asyncDispose]();
    await Promise.all(plugins.splice(0).map((plugin) => plugin.end()));
    await directory.remove();
  });

  async function open(alignment: Partial<DeviceManagerOptions['alignment']> = {}): Promise<DeviceManager> {
    const opened = await DeviceManager.open({
      rootDir: directory.path,
      alignment: { policy: 'none', scope: 'container', nodes: [], ...alignment },
      holdOf: (uid) => holds.get(uid) ?? 'desired',
      cpuHints: undefined,
      onChange: () => void changes++,
      counts: {
        asked: (name) => void counted.push(`asked ${name}`),
        allocated: (name, durationMs) => void counted.push(`allocated ${name} in ${durationMs} ms`),
      },
      dialect: orchDialect,
      clock,
      logger,
    });
    await opened.listen();
    return opened;
  }

  async function reopen(alignment: Partial<DeviceManagerOptions['alignment']> = {}): Promise<void> {
    await manager[Symbol.asyncDispose]();
    manager = await open(alignment);
  }

  function startPlugin(options: Partial<DevicePluginOptions> = {}): DevicePlugin {
    const plugin = new DevicePlugin({ folder, resource, ...options });
    plugins.push(plugin);
    return plugin;
  }

  const amountsAre = (capacity: number, allocatable: number): Promise<true> =>
    eventually(async () => {
      const found = manager.amounts().get(resource);
      return (found?.capacity === capacity && found.allocatable === allocatable) || undefined;
    });

  /** Gives a pod its devices; what stands in the way, if anything. */
  async function give(pod: Pod): Promise<string | undefined> {
    await manager.prepare(pod);
    const refusal = manager.refusalOf(pod);
    return refusal && `${refusal.reason}: ${refusal.message}`;
  }

  const idsOf = (uid: string, container = 'c0'): readonly string[] =>
    manager.devicesOf(uid, container).flatMap(({ idsByNode }) => [...idsByNode.values()].flat());

  it('shows what plugins list, and how it is', async () => {
    const plugin = startPlugin();
    expect(await plugin.said('registered')).to.equal(true);
    plugin.list('a0 b0 c1!');
    await amountsAre(3, 2);
    plugin.list('a0 b0! c1!');
    await amountsAre(3, 1);
    expect(changes).to.be.greaterThan(1);
    await plugin.end();
    await amountsAre(3, 0);
    clock.advance(299_000);
    expect(manager.amounts().get(resource)).to.deep.equal({ capacity: 3, allocatable: 0 });
    clock.advance(2000);
    expect(manager.amounts().get(resource)).to.deep.equal({ capacity: 0, allocatable: 0 });
  });

  it('gives devices, and says what a container is made with', async () => {
    const plugin = startPlugin({ options: 'pre-start,prefers' });
    plugin.list('a0 b0 c1');
    await amountsAre(3, 3);
    const pod = podOf('u', [2, 0]);
    expect(await give(pod)).to.equal(undefined);
    expect(idsOf('u')).to.have.members(['b0', 'c1']);
    const [container, other] = pod.spec.containers ?? [];
    if (container === undefined || other === undefined) throw new Error('no containers');
    expect(await manager.additionsFor(pod, other)).to.equal(undefined);
    expect(await manager.additionsFor(pod, container)).to.deep.equal({
      environment: [{ name: 'DEVICES', value: 'b0,c1' }],
      mounts: [
        {
          containerPath: '/vendor',
          hostPath: folder,
          isReadOnly: true,
          relabelsSelinux: false,
          propagation: 'private',
        },
      ],
      devices: [{ containerPath: '/dev/vendor', hostPath: '/dev/null', permissions: 'rw' }],
      annotations: { 'vendor.com/devices': 'b0,c1' },
    });
    expect(plugin.asked.slice(1)).to.deep.equal([
      {
        prefer: [{ available_deviceIDs: ['a0', 'b0', 'c1'], must_include_deviceIDs: [], allocation_size: 2 }],
      },
      { allocate: [['b0', 'c1']] },
      { preStart: ['b0', 'c1'] },
    ]);
  });

  it('gives no device twice, and takes back those of pods that are gone', async () => {
    const plugin = startPlugin();
    plugin.list('a0 b0');
    await amountsAre(2, 2);
    expect(await Promise.all([give(podOf('u', [1])), give(podOf('v', [2]))])).to.deep.equal([
      undefined,
      'UnexpectedAdmissionError: Allocate failed due to requested number of devices unavailable for vendor.com/card. Requested: 2, Available: 1, which is unexpected',
    ]);
    expect(manager.raise({ [resource]: '0', cpu: '1' })).to.deep.equal({ [resource]: '1', cpu: '1' });
    holds.set('u', 'terminating');
    expect(await give(podOf('w', [1]))).to.equal(undefined);
    expect([idsOf('u'), idsOf('w')], 'what nobody has comes first').to.deep.equal([['a0'], ['b0']]);
    holds.set('w', 'gone');
    expect(await give(podOf('v', [2]))).to.equal(undefined);
    expect(idsOf('v')).to.have.members(['a0', 'b0']);
    expect(idsOf('u')).to.deep.equal([]);
  });

  it('has containers use what init containers had', async () => {
    const plugin = startPlugin();
    plugin.list('a0 b0 c0');
    await amountsAre(3, 3);
    expect(await give(podOf('u', [1, 1], 2))).to.equal(undefined);
    expect(idsOf('u', 'init')).to.deep.equal(['a0', 'b0']);
    expect([idsOf('u', 'c0'), idsOf('u', 'c1')]).to.deep.equal([['a0'], ['b0']]);
  });

  it('says what plugins say when they refuse', async () => {
    const plugin = startPlugin({ options: 'refuses,pre-start' });
    plugin.list('a0');
    await amountsAre(1, 1);
    expect(await give(podOf('u', [1]))).to.equal(
      'UnexpectedAdmissionError: Allocate failed due to rpc error: code = ResourceExhausted desc = all broken, which is unexpected',
    );
    expect(idsOf('u')).to.deep.equal([]);
    await plugin.end();
    await amountsAre(1, 0);
    const other = startPlugin({ options: 'refuses-start,pre-start' });
    other.list('a0');
    await amountsAre(1, 1);
    const pod = podOf('v', [1]);
    expect(await give(pod)).to.equal(undefined);
    const [container] = pod.spec.containers ?? [];
    const failure = container && (await manager.additionsFor(pod, container).catch(String));
    expect(failure).to.include(
      'device plugin PreStartContainer rpc failed with err: rpc error: code = Internal desc = no reset',
    );
  });

  it('refuses plugins that it cannot understand', async () => {
    const wrong = startPlugin({ resource: 'cpu' });
    expect(await wrong.said('refused')).to.equal('the ResourceName "cpu" is invalid');
    expect(manager.amounts().size).to.equal(0);
  });

  it('goes on with what an agent before gave, before and after its plugins come again', async () => {
    expect(manager.hasCheckpoint).to.equal(false);
    const plugin = startPlugin();
    plugin.list('a0 b1');
    await amountsAre(2, 2);
    const pod = podOf('u', [1]);
    await give(pod);
    await plugin.end();
    await reopen();
    expect(manager.hasCheckpoint).to.equal(true);
    expect(idsOf('u')).to.deep.equal(['a0']);
    expect(await give(pod)).to.equal(undefined);
    expect(await give(podOf('v', [1]))).to.match(/Requested: 1, Available: 0/);
    const [container] = pod.spec.containers ?? [];
    expect(container && (await manager.additionsFor(pod, container))).to.have.nested.property(
      'environment[0].value',
      'a0',
    );
    const again = startPlugin();
    again.list('a0 b1');
    await amountsAre(2, 2);
    expect(await give(podOf('v', [1]))).to.equal(undefined);
    expect(idsOf('v')).to.deep.equal(['b1']);
    await manager[Symbol.asyncDispose]();
    const text = await readFile(join(folder, 'nodeagent_internal_checkpoint'), 'utf8');
    expect(parseCheckpoint(text).held.map(({ podUid }) => podUid)).to.deep.equal(['u', 'v']);
    manager = await open();
  });

  it('begins anew over a checkpoint that nobody wrote, and removes sockets of old', async () => {
    await manager[Symbol.asyncDispose]();
    await writeFile(join(folder, 'nodeagent_internal_checkpoint'), '{"Data":');
    await writeFile(join(folder, 'old.sock'), '');
    manager = await open();
    expect(logger.lines.map(({ message }) => message)).to.include(
      'device checkpoint not readable, allocations before are not known',
    );
    expect(await readFile(join(folder, 'old.sock')).catch(({ code }) => code)).to.equal('ENOENT');
  });

  it('takes plugins that were found elsewhere, asks what they can, and lets them go', async () => {
    const plugin = startPlugin({ options: 'prefers' });
    plugin.list('a0 b0 c1');
    await amountsAre(3, 3);
    const { pluginHandler } = manager;
    const found = { name: 'vendor.com/other', endpoint: join(folder, 'card.sock'), versions: ['v1beta1'] };
    await pluginHandler.validate(found);
    await pluginHandler.register(found);
    await eventually(async () => manager.amounts().get('vendor.com/other')?.allocatable === 3 || undefined);
    expect(await give(podOf('u', [1], 0, 'vendor.com/other'))).to.equal(undefined);
    expect(idsOf('u'), 'what the plugin prefers').to.deep.equal(['c1']);
    await pluginHandler.unregister(found);
    await eventually(async () => manager.amounts().get('vendor.com/other')?.allocatable === 0 || undefined);
    expect(manager.amounts().get(resource)).to.deep.equal({ capacity: 3, allocatable: 3 });

    const refusalOf = (more: object) => pluginHandler.validate({ ...found, ...more }).catch(String);
    expect(await refusalOf({ versions: ['v2'] })).to.include(
      'manager version, v1beta1, is not among plugin supported versions v2',
    );
    expect(await refusalOf({ name: 'cpu' })).to.include('invalid name of device plugin socket: cpu');
    const nowhere = { ...found, name: 'vendor.com/none', endpoint: join(folder, 'none.sock') };
    expect(await pluginHandler.register(nowhere).catch(String)).to.include('code = Unavailable');
    expect(manager.amounts().has('vendor.com/none')).to.equal(false);
  });

  describe('with NUMA nodes', () => {
    it('takes devices from one node, or refuses the pod', async () => {
      await reopen({ policy: 'single-numa-node', nodes: [0, 1] });
      const plugin = startPlugin();
      plugin.list('a0 b1 c1');
      await amountsAre(3, 3);
      expect(await give(podOf('u', [2]))).to.equal(undefined);
      expect(idsOf('u')).to.deep.equal(['b1', 'c1']);
      holds.set('u', 'gone');
      expect(await give(podOf('v', [3]))).to.equal(
        'TopologyAffinityError: Resources cannot be allocated with Topology locality',
      );
    });

    it('tells hints of a container, and of a pod as a whole', async () => {
      await reopen({ policy: 'best-effort', scope: 'pod', nodes: [0, 1] });
      const plugin = startPlugin();
      plugin.list('a0 b1 c1');
      await amountsAre(3, 3);
      const pod = podOf('u', [1, 1]);
      const [container] = pod.spec.containers ?? [];
      expect(manager.hints(pod, container)).to.deep.equal([
        [
          { nodes: 1, isPreferred: true },
          { nodes: 2, isPreferred: true },
          { nodes: 3, isPreferred: false },
        ],
      ]);
      const whole = [
        [
          { nodes: 2, isPreferred: true },
          { nodes: 3, isPreferred: false },
        ],
      ];
      expect(manager.hints(pod)).to.deep.equal(whole);
      await give(pod);
      expect([idsOf('u', 'c0'), idsOf('u', 'c1')]).to.deep.equal([['b1'], ['c1']]);
      expect(manager.hints(pod)).to.deep.equal(whole);
    });
  });

  it('tells programs of the machine who has which, in both versions', async () => {
    const plugin = startPlugin();
    plugin.list('a0 b1');
    await amountsAre(2, 2);
    const pod = podOf('u', [2, 0]);
    await give(pod);
    const socketPath = join(directory.path, 'pod-resources', 'nodeagent.sock');
    await using server = await startPodResources({
      socketPath,
      onRequest: (version) => void counted.push(version),
      pods: () => [pod],
      devicesOf: (uid, container) => manager.devicesOf(uid, container),
      cpusOf: (_, container) => (container === 'c0' ? [2, 3] : []),
      allocatableDevices: () => manager.allocatable(),
      allocatableCpus: () => [1, 2, 3],
    });
    expect(server).to.not.equal(undefined);
    const list = async (version: 'v1' | 'v1alpha1') => {
      const service = `${version}.PodResourcesLister`;
      using client = new ServiceClient<{ readonly List: readonly [object, object] }>(socketPath, {
        service,
        descriptor: podResources,
      });
      return await client.call('List', {}, { timeoutMs: 10_000 });
    };
    const device = (id: string, node: number) => ({
      resource_name: resource,
      device_ids: [id],
      topology: { nodes: [{ ID: node }] },
    });
    const about = { name: 'u', namespace: 'default' };
    expect(await list('v1')).to.deep.equal({
      pod_resources: [
        {
          ...about,
          containers: [
            { name: 'c0', devices: [device('a0', 0), device('b1', 1)], cpu_ids: [2, 3] },
            { name: 'c1', devices: [], cpu_ids: [] },
          ],
        },
      ],
    });
    const plain = (id: string) => ({ resource_name: resource, device_ids: [id] });
    expect(await list('v1alpha1')).to.deep.equal({
      pod_resources: [
        {
          ...about,
          containers: [
            { name: 'c0', devices: [plain('a0'), plain('b1')] },
            { name: 'c1', devices: [] },
          ],
        },
      ],
    });
    const given = [`asked ${resource}`, `allocated ${resource} in 0 ms`];
    expect(counted).to.deep.equal([...given, 'v1', 'v1alpha1']);
  });
  it('tells them what there is to have', async () => {
    const plugin = startPlugin();
    plugin.list('a0 b1 c1!');
    await amountsAre(3, 2);
    await give(podOf('u', [1]));
    const socketPath = join(directory.path, 'pod-resources', 'nodeagent.sock');
    await using server = await startPodResources({
      socketPath,
      onRequest: (version) => void counted.push(version),
      pods: () => [],
      devicesOf: () => [],
      cpusOf: () => [],
      allocatableDevices: () => manager.allocatable(),
      allocatableCpus: () => [1, 2, 3],
    });
    expect(server).to.not.equal(undefined);
    const ask = async (version: 'v1' | 'v1alpha1') => {
      const service = `${version}.PodResourcesLister`;
      using client = new ServiceClient<{ readonly GetAllocatableResources: readonly [object, object] }>(
        socketPath,
        { service, descriptor: podResources },
      );
      return await client.call('GetAllocatableResources', {}, { timeoutMs: 10_000 });
    };
    const device = (id: string, node: number) => ({
      resource_name: resource,
      device_ids: [id],
      topology: { nodes: [{ ID: node }] },
    });
    expect(await ask('v1')).to.deep.equal({
      devices: [device('a0', 0), device('b1', 1)],
      cpu_ids: [1, 2, 3],
    });
    const refusal = await ask('v1alpha1').then(
      () => 'answered',
      (error: unknown) => String(error),
    );
    expect(refusal).to.not.equal('answered');
  });
});
