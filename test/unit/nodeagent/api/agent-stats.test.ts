import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  type AgentMetrics,
  type AgentServersOptions,
  type AgentView,
  createAgentMetrics,
  type VolumeUsage,
} from '../../../../src/nodeagent/api/index.ts';
import { type AgentStats, createAgentStats } from '../../../../src/nodeagent/api/stats/agent-stats.ts';
import { runtimeLabelNames } from '../../../../src/nodeagent/container-config/index.ts';
import type { RuntimeService } from '../../../../src/nodeagent/runtime/index.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { podOf } from '../container-config/pods.ts';
import { machineFiles, splitGroup, writeHostFiles } from './host-fixture.ts';

const time = '2026-11-21T10:00:00Z';
const nowMs = Date.parse(time);
const podPath = '/orchpods/besteffort/podu-1';
const names = runtimeLabelNames(orchDialect);
const labels = { [names.podUid]: 'u-1', [names.podName]: 'web', [names.podNamespace]: 'shop' };
const container = {
  id: 'id-1',
  podSandboxId: 's-1',
  metadata: { name: 'c', attempt: 0 },
  image: 'a:1',
  imageRef: 'sha256:1',
  state: 'running' as const,
  createdAtMs: nowMs - 60_000,
  labels,
  annotations: {},
};
const usage = { atMs: nowMs, mountpoint: '/', usedBytes: 4096, inodesUsed: 3 };

const runtime: Partial<RuntimeService> = {
  listPodSandboxes: async () => [
    {
      id: 's-1',
      metadata: { name: 'web', namespace: 'shop', uid: 'u-1', attempt: 0 },
      state: 'ready',
      createdAtMs: nowMs - 90_000,
      labels,
      annotations: {},
      runtimeHandler: '',
    },
    {
      id: 's-2',
      metadata: { name: 'stranger', namespace: 'x', uid: 'u-2', attempt: 0 },
      state: 'ready',
      createdAtMs: nowMs,
      labels: {},
      annotations: {},
      runtimeHandler: '',
    },
  ],
  listContainers: async () => [container],
  listContainerStats: async () => [
    {
      id: 'id-1',
      metadata: container.metadata,
      labels,
      annotations: {},
      cpu: { atMs: nowMs, usageCoreNs: 2e9 },
      memory: { atMs: nowMs, workingSetBytes: 300 },
      writableLayer: usage,
    },
  ],
};

const containerNames = ['c', 'd'] as const;
const numberOf = (uid: string): number => Number(uid.slice('u-'.length));
const logFolder = (n: number, name: string): string => `/var/log/pods/shop_web-${n}_u-${n}/${name}`;
/** What the container of a pod has written, different for each. */
const layerOf = (n: number, name: string) => ({
  usedBytes: n * 1000 + (name === 'c' ? 1 : 2),
  inodesUsed: n,
});
/** Bytes of a folder with one file. */
const diskUsage = async (folder: string): Promise<number> => {
  const both = await Promise.all([folder, join(folder, '0.log')].map((path) => stat(path)));
  return both.reduce((sum, { blocks }) => sum + 512 * blocks, 0);
};

/** Pods `web-1` and on with two containers each, what the runtime says of them, and files of their logs. */
function manyPods(count: number) {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const labelsOf = (n: number) => ({
    [names.podUid]: `u-${n}`,
    [names.podName]: `web-${n}`,
    [names.podNamespace]: 'shop',
  });
  const containers = numbers.flatMap((n) =>
    containerNames.map((name) => ({
      ...container,
      id: `id-${n}-${name}`,
      podSandboxId: `s-${n}`,
      metadata: { name, attempt: 0 },
      labels: labelsOf(n),
      cpu: undefined,
      memory: undefined,
      writableLayer: { ...usage, ...layerOf(n, name) },
    })),
  );
  const sandboxes = numbers.map((n) => ({
    id: `s-${n}`,
    metadata: { name: `web-${n}`, namespace: 'shop', uid: `u-${n}`, attempt: 0 },
    state: 'ready' as const,
    createdAtMs: nowMs - 90_000,
    labels: labelsOf(n),
    annotations: {},
    runtimeHandler: '',
  }));
  const files = numbers.flatMap((n) =>
    containerNames.map((name, index) => [`${logFolder(n, name)}/0.log`, 'x'.repeat(n * 100 * (index + 1))]),
  );
  const listed: Partial<RuntimeService> = {
    listPodSandboxes: async () => sandboxes,
    listContainers: async () => containers,
    listContainerStats: async () => containers,
  };
  const spec = { containers: [], volumes: [{ name: 'v', emptyDir: {} }] };
  return {
    pods: numbers.map((n) => ({ ...podOf({}, { name: `web-${n}`, uid: `u-${n}` }), spec })),
    runtime: listed,
    logs: Object.fromEntries(files) as Record<string, string>,
  };
}

describe('createAgentStats', () => {
  let directory: TemporaryDirectory;
  let clock: ManualClock;
  let volumes: readonly VolumeUsage[] = [];
  let pods: readonly Pod[];
  let questions: number;
  let metrics: AgentMetrics;
  const countQuestion = async (listed: Partial<RuntimeService>) => {
    questions += 1;
    return (await listed.listContainerStats?.()) ?? [];
  };

  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    clock = new ManualClock(nowMs);
    volumes = [];
    pods = [podOf()];
    questions = 0;
    metrics = createAgentMetrics({ nodeName: 'n1', dialect: orchDialect, startedAtMs: 0 });
    await writeHostFiles(directory.path, {
      ...machineFiles,
      ...splitGroup('/'),
      ...splitGroup('/orchpods'),
      ...splitGroup(podPath),
      ...splitGroup(`${podPath}/id-1`),
      '/var/log/pods/shop_web_u-1/c/0.log': 'x',
    });
  });
  afterEach(() => directory.remove());

  function open({
    volumeStatsAggPeriodMs = 60_000,
    housekeepingIntervalMs = 10_000,
    containerRuntime = 'remote',
    containerRuntimeEndpoint = 'unix:///run/elsewhere.sock',
    listed = runtime,
    volumesOf = (_uid: string) => volumes,
  } = {}): AgentStats {
    const config = {
      containerRuntime,
      containerRuntimeEndpoint,
      rootDir: directory.path,
      cgroupDriver: 'cgroupfs',
      cgroupRoot: '',
      cgroupsPerQos: true,
      nodeagentCgroups: '',
      runtimeCgroups: '',
      systemCgroups: '',
      volumeStatsAggPeriodMs,
      housekeepingIntervalMs,
    };
    const view: Pick<AgentView, 'pods'> = { pods: () => pods };
    const options = {
      config,
      dialect: orchDialect,
      nodeName: 'n1',
      view,
      runtime: { ...listed, listContainerStats: () => countQuestion(listed) },
      metrics,
      images: { imageFsInfo: async () => [usage] },
      volumes: { usage: async (uid: string) => volumesOf(uid) },
      clock,
      hostRoot: directory.path,
    };
    return createAgentStats(options as unknown as AgentServersOptions); // figures need no more
  }

  /** The wait for the first rates takes no time here. */
  async function summaryOf(stats: AgentStats, onlyCpuAndMemory = false): Promise<Summary> {
    const asking = stats.summary({ onlyCpuAndMemory });
    let isDone = false;
    void asking.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      // Files are read in real time: the clock stands still meanwhile.
      if (clock.timerCount > 0) clock.advance(100);
    }
    return JSON.parse(JSON.stringify(await asking)) as Summary;
  }

  it('sums the node up', async () => {
    const { node } = await summaryOf(open());
    expect(Object.keys(node)).to.deep.equal([
      'nodeName',
      'systemContainers',
      'startTime',
      'cpu',
      'memory',
      'network',
      'fs',
      'runtime',
      'rlimit',
    ]);
    expect(node.nodeName).to.equal('n1');
    expect(node.cpu).to.deep.include({ usageNanoCores: 0, usageCoreNanoSeconds: 5e9 });
    expect(node.memory).to.deep.include({ availableBytes: 2048 * 1024 - 850, workingSetBytes: 850 });
    expect(node.network).to.deep.include({
      name: 'ens3',
      rxBytes: 10,
      rxErrors: 30,
      txBytes: 50,
      txErrors: 70,
    });
    expect(node.network.interfaces).to.have.length(1);
    expect(node.rlimit).to.deep.include({ maxpid: 32_768, curproc: 345 });
    expect(node.runtime.imageFs).to.deep.include({ usedBytes: 4096, inodesUsed: 3 });
    expect(node.systemContainers.map(({ name }) => name)).to.deep.equal(['pods']);
    expect(node.systemContainers[0]?.memory).to.deep.include({ availableBytes: 150, usageBytes: 900 });
  });

  const own = '/system.slice/agent.service';
  const groups: [what: string, lines: readonly string[], names: readonly string[]][] = [
    [
      'one group by systemd',
      ['3:cpu,cpuacct:/', '2:memory:/', `1:name=systemd:${own}`],
      ['nodeagent', 'pods'],
    ],
    ['one group', [`3:cpu,cpuacct:${own}`, `2:memory:${own}`, '0::/'], ['nodeagent', 'pods']],
    ['one group of version 2', [`0::${own}`], ['nodeagent', 'pods']],
    ['groups by controller', [`3:cpu:${own}`, '2:memory:/elsewhere', `1:name=systemd:${own}`], ['pods']],
    ['none that counts', ['2:pids:/', '0::/'], ['pods']],
  ];
  for (const [what, lines, shown] of groups) {
    it(`shows the agent's own group where it is in ${what}`, async () => {
      await writeHostFiles(directory.path, { ...splitGroup(own), '/proc/self/cgroup': lines.join('\n') });
      const { node } = await summaryOf(open());
      expect(node.systemContainers.map(({ name }) => name)).to.deep.equal(shown);
    });
  }

  it('sums up each pod of its own', async () => {
    const { pods } = await summaryOf(open());
    expect(pods.map(({ podRef }) => podRef)).to.deep.equal([{ name: 'web', namespace: 'shop', uid: 'u-1' }]);
    const [pod] = pods;
    expect(pod).to.have.all.keys(
      ...['podRef', 'startTime', 'containers', 'cpu', 'memory', 'ephemeral-storage', 'process_stats'],
    );
    const { rootfs, logs } = pod?.containers[0] ?? {};
    expect(pod?.['ephemeral-storage'], 'without volumes').to.deep.include({
      usedBytes: (rootfs?.usedBytes ?? 0) + (logs?.usedBytes ?? 0),
      inodesUsed: 3 + 2,
    });
    expect(pod?.process_stats).to.deep.equal({ process_count: 7 });
    expect(pod?.startTime).to.equal('2026-11-21T09:58:30Z');
    const [shown] = pod?.containers ?? [];
    expect(shown).to.deep.include({
      name: 'c',
      startTime: '2026-11-21T09:59:00Z',
      cpu: { time, usageCoreNanoSeconds: 2e9 },
      memory: { time, workingSetBytes: 300 },
    });
    expect(shown?.rootfs).to.deep.include({ usedBytes: 4096, inodesUsed: 3 });
    expect(shown?.logs).to.deep.include({ inodesUsed: 2 });
  });

  const elsewhere = { containerRuntime: 'remote', containerRuntimeEndpoint: 'unix:///srv/containerd.sock' };
  const known = [
    { containerRuntime: 'legacyrt', containerRuntimeEndpoint: '' },
    { containerRuntime: 'remote', containerRuntimeEndpoint: 'unix:///run/containerd/containerd.sock' },
    { containerRuntime: 'remote', containerRuntimeEndpoint: '/var/run/containerd/containerd.sock' },
    { containerRuntime: 'remote', containerRuntimeEndpoint: 'unix:///var/run/crio/crio.sock' },
  ];
  describe('of runtimes where everybody looks for them', () => {
    const [line, ...devices] = ['Inter-| Receive', ' face |bytes', 'lo: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0'];
    const eth0 = 'eth0: 70 7 1 0 0 0 0 0 80 8 2 0 0 0 0 0';
    beforeEach(async () => {
      await writeHostFiles(directory.path, {
        ...splitGroup(`${podPath}/s-1`),
        '/proc/11/net/dev': [line, ...devices, eth0].join('\n'),
      });
    });

    for (const runtime of known) {
      it(`shows all figures of containers: ${runtime.containerRuntime} ${runtime.containerRuntimeEndpoint}`, async () => {
        const [pod] = (await summaryOf(open(runtime))).pods;
        expect(pod?.containers[0]?.memory).to.deep.include({
          availableBytes: 150,
          usageBytes: 900,
          workingSetBytes: 850,
          rssBytes: 200,
          pageFaults: 30,
          majorPageFaults: 40,
        });
        expect(pod?.containers[0]?.cpu).to.deep.include({ usageCoreNanoSeconds: 5e9 });
        const shown = { name: 'eth0', rxBytes: 70, rxErrors: 1, txBytes: 80, txErrors: 2 };
        expect(pod?.network).to.deep.include({ ...shown, interfaces: [shown] });
      });
    }

    it('shows no network of a pod that has that of the node, nor of a runtime elsewhere', async () => {
      const [other] = (await summaryOf(open(elsewhere))).pods;
      expect(other).to.not.have.property('network');
      expect(other?.containers[0]?.memory).to.deep.equal({ time, workingSetBytes: 300 });
      pods = [podOf({ containers: [], hostNetwork: true })];
      expect((await summaryOf(open(known[1]))).pods[0]).to.not.have.property('network');
    });

    it('gives metrics of the network of a pod that has its own, whatever the runtime', async () => {
      const sandbox = `container="",id="${podPath}/s-1",image="",interface="eth0",name="s-1",namespace="shop",pod="web"`;
      const metric = `container_network_receive_bytes_total{${sandbox}} 70 ${nowMs}\n`;
      expect(await open(elsewhere).containerMetrics()).to.include(metric);
      pods = [podOf({ containers: [], hostNetwork: true })];
      expect(await open(elsewhere).containerMetrics()).to.not.include('interface="eth0"');
    });

    it('leaves the network out when only processors and memory are asked for', async () => {
      const [pod] = (await summaryOf(open(known[1]), true)).pods;
      expect(pod).to.have.all.keys('podRef', 'startTime', 'containers', 'cpu', 'memory');
      expect(pod?.containers[0]?.memory).to.include({ rssBytes: 200 });
    });
  });

  it('leaves out what costs more when only processors and memory are asked for', async () => {
    const { node, pods } = await summaryOf(open(), true);
    expect(node).to.have.all.keys('nodeName', 'systemContainers', 'startTime', 'cpu', 'memory');
    expect(node.memory).to.deep.include({ availableBytes: 2048 * 1024 - 850, workingSetBytes: 850 });
    expect(pods[0]).to.have.all.keys('podRef', 'startTime', 'containers', 'cpu', 'memory');
    expect(pods[0]?.containers[0]).to.have.all.keys('name', 'startTime', 'cpu', 'memory');
  });

  it('shows volumes, and counts local ones as storage of the pod', async () => {
    const measured = { atMs: nowMs, usedBytes: 1000, inodesUsed: 5 };
    const spec = {
      containers: [],
      volumes: [
        { name: 'v', emptyDir: {} },
        { name: 'files', nfs: { server: 'files.test', path: '/' } },
        { name: 'memory', emptyDir: { medium: 'Memory' } },
      ],
    };
    pods = [{ ...podOf(), spec }];
    volumes = [
      { name: 'v', ...measured },
      { name: 'files', ...measured },
      { name: 'memory', ...measured },
      { name: 'claimed', ...measured, claim: { namespace: 'shop', name: 'data' } },
    ];
    const [pod] = (await summaryOf(open())).pods;
    expect(pod?.volume).to.deep.equal([
      { time, usedBytes: 1000, inodesUsed: 5, name: 'v' },
      { time, usedBytes: 1000, inodesUsed: 5, name: 'files' },
      { time, usedBytes: 1000, inodesUsed: 5, name: 'memory' },
      { time, usedBytes: 1000, inodesUsed: 5, name: 'claimed', pvcRef: { name: 'data', namespace: 'shop' } },
    ]);
    const { rootfs, logs } = pod?.containers[0] ?? {};
    const used = 1000 + (rootfs?.usedBytes ?? 0) + (logs?.usedBytes ?? 0);
    expect(pod?.['ephemeral-storage']).to.deep.include({ usedBytes: used, inodesUsed: 5 + 3 + 2 });
  });

  it('tells the storage of each container and pod apart, of a hundred pods as of one', async () => {
    const many = manyPods(100);
    ({ pods } = many);
    await writeHostFiles(directory.path, many.logs);
    const volumesOf = (uid: string) => [
      { name: 'v', atMs: nowMs, usedBytes: numberOf(uid) * 10, inodesUsed: 1 },
    ];
    const shown = (await summaryOf(open({ listed: many.runtime, volumesOf }))).pods;
    expect(questions, 'of the runtime').to.equal(1);
    expect(shown).to.have.length(100);
    for (const { podRef, containers, 'ephemeral-storage': all } of shown) {
      const n = numberOf(podRef.uid);
      const sum = { usedBytes: n * 10, inodesUsed: 1 };
      for (const name of containerNames) {
        const found = containers.find((one) => one.name === name);
        const rootfs = layerOf(n, name);
        const logs = { usedBytes: await diskUsage(join(directory.path, logFolder(n, name))), inodesUsed: 2 };
        expect(found?.rootfs, `${podRef.name} ${name}`).to.deep.include(rootfs);
        expect(found?.logs, `${podRef.name} ${name}`).to.deep.include(logs);
        sum.usedBytes += rootfs.usedBytes + logs.usedBytes;
        sum.inodesUsed += rootfs.inodesUsed + logs.inodesUsed;
      }
      expect(all, podRef.name).to.deep.include(sum);
    }
  });

  it('shows no volumes of pods that are younger than a period, or when that is turned off', async () => {
    volumes = [{ name: 'v', atMs: nowMs, usedBytes: 1000, inodesUsed: 5 }];
    for (const volumeStatsAggPeriodMs of [86_400_000, 0, -1]) {
      const [pod] = (await summaryOf(open({ volumeStatsAggPeriodMs }))).pods;
      expect(pod, String(volumeStatsAggPeriodMs)).to.not.have.any.keys('volume', 'ephemeral-storage');
    }
  });

  it('measures no oftener than once in --housekeeping-interval, but processors and memory alone at once', async () => {
    // Waiting for rates takes no known time here, so that the interval is long.
    const hourMs = 3_600_000;
    const stats = open({ housekeepingIntervalMs: hourMs });
    const timeOf = async (onlyCpuAndMemory = false): Promise<unknown> =>
      (await summaryOf(stats, onlyCpuAndMemory)).node.memory;
    const ask = async (): Promise<unknown> => {
      await Promise.all([stats.containerMetrics(), stats.resourceMetrics(), stats.resourceMetrics()]);
      return timeOf();
    };
    const first = await ask();
    expect(questions).to.equal(3);
    clock.advance(hourMs / 2);
    expect(await ask()).to.deep.equal(first);
    expect(questions).to.equal(3);
    expect(await timeOf(true)).to.not.deep.equal(first);
    clock.advance(hourMs / 2);
    expect(await ask()).to.not.deep.equal(first);
    expect(questions).to.equal(7);
  });

  it('shows how full claimed volumes are', async () => {
    const claim = { namespace: 'shop', name: 'data' };
    volumes = [
      { name: 'v', atMs: nowMs, usedBytes: 1, inodesUsed: 1 },
      { name: 'c', atMs: nowMs, usedBytes: 7, inodesUsed: 5, availableBytes: 3, capacityBytes: 10, claim },
    ];
    const spec = { containers: [], volumes: [{ name: 'c', persistentVolumeClaim: { claimName: 'data' } }] };
    pods = [podOf(spec)];
    await open().fillGauges();
    const shown = metrics
      .text()
      .split('\n')
      .filter((line) => line.startsWith('nodeagent_volume_stats'));
    const labels = '{namespace="shop",persistentvolumeclaim="data"}';
    expect(shown).to.deep.equal([
      `nodeagent_volume_stats_available_bytes${labels} 3`,
      `nodeagent_volume_stats_capacity_bytes${labels} 10`,
      `nodeagent_volume_stats_inodes_used${labels} 5`,
      `nodeagent_volume_stats_used_bytes${labels} 7`,
    ]);
    expect(metrics.text()).to.match(/^process_resident_memory_bytes [1-9]\d+$/m);
  });

  it('gives metrics of containers, pods and the node with their times', async () => {
    const lines = (await open().resourceMetrics())
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines).to.deep.equal([
      `container_cpu_usage_seconds_total{container="c",namespace="shop",pod="web"} 2 ${nowMs}`,
      `container_memory_working_set_bytes{container="c",namespace="shop",pod="web"} 300 ${nowMs}`,
      `node_cpu_usage_seconds_total 5 ${nowMs}`,
      `node_memory_working_set_bytes 850 ${nowMs}`,
      `pod_cpu_usage_seconds_total{namespace="shop",pod="web"} 5 ${nowMs}`,
      `pod_memory_working_set_bytes{namespace="shop",pod="web"} 850 ${nowMs}`,
      'scrape_error 0',
    ]);
  });

  it('gives metrics of control groups and the machine', async () => {
    const text = await open().containerMetrics();
    const own = `container="c",id="${podPath}/id-1",image="a:1",name="id-1",namespace="shop",pod="web"`;
    expect(text).to.include(`container_memory_working_set_bytes{${own}} 850 ${nowMs}\n`);
    expect(text).to.include(`container_spec_cpu_shares{${own}} 512
`);
    expect(text).to.match(/container_fs_reads_total\{[^}]*device="\/dev\/vda"[^}]*\} 10 /);
    expect(text).to.match(/container_fs_read_seconds_total\{[^}]*\} 3 /);
    expect(text).to.match(/container_network_transmit_bytes_total\{[^}]*interface="ens3"[^}]*\} 50 /);
    expect(text).to.include(
      'machine_memory_bytes{boot_id="boot-1",machine_id="machine-1",system_uuid="uuid-1"} 2097152\n',
    );
    expect(text).to.include(
      'machine_cpu_physical_cores{boot_id="boot-1",machine_id="machine-1",system_uuid="uuid-1"} 1\n',
    );
    expect(text).to.include('kernelVersion="5.10.0",legacyrtVersion="",osVersion="Test OS 1"');
    expect(text).to.include('container_scrape_error 0\n');
  });

  it('describes the machine', async () => {
    const spec = (await open().machineSpec()) as Record<string, unknown>;
    expect(spec).to.deep.include({
      num_cores: 2,
      num_physical_cores: 1,
      num_sockets: 1,
      cpu_frequency_khz: 2_500_123,
      memory_capacity: 2048 * 1024,
      hugepages: [{ page_size: 2048, num_pages: 3 }],
      machine_id: 'machine-1',
      disk_map: { '254:0': { name: 'vda', major: 254, minor: 0, size: 4096, scheduler: 'mq-deadline' } },
      network_devices: [{ name: 'ens3', mac_address: '02:00:00:00:00:01', speed: 0, mtu: 1500 }],
      topology: [
        {
          node_id: 0,
          memory: 2048 * 1024,
          hugepages: [],
          cores: [
            {
              core_id: 0,
              thread_ids: [0, 1],
              caches: [{ size: 32_768, type: 'Data', level: 1 }],
              socket_id: 0,
            },
          ],
          caches: [{ size: 4_194_304, type: 'Unified', level: 3 }],
        },
      ],
    });
  });
});

interface Figures {
  readonly usedBytes: number;
}

interface Measured {
  readonly cpu: object;
  readonly memory: object;
}

interface Summary {
  readonly node: Measured & {
    readonly nodeName: string;
    readonly systemContainers: readonly (Measured & { readonly name: string })[];
    readonly network: { readonly interfaces: readonly object[] };
    readonly runtime: { readonly imageFs: object };
    readonly rlimit: object;
  };
  readonly pods: readonly (Measured & {
    readonly podRef: { readonly name: string; readonly uid: string };
    readonly startTime: string;
    readonly process_stats: object;
    readonly volume: readonly object[];
    readonly network: object;
    readonly 'ephemeral-storage': object;
    readonly containers: readonly (Measured & {
      readonly name: string;
      readonly rootfs: Figures;
      readonly logs: Figures;
    })[];
  })[];
}
