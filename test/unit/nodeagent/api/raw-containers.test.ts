import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import { parseStatsRequest } from '../../../../src/nodeagent/api/handlers/raw-stats.ts';
import type { AgentServersOptions } from '../../../../src/nodeagent/api/index.ts';
import { type AgentStats, createAgentStats } from '../../../../src/nodeagent/api/stats/agent-stats.ts';
import { groupPath } from '../../../../src/nodeagent/api/stats/raw-container.ts';
import { chooseSamples } from '../../../../src/nodeagent/api/stats/raw-containers.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { machineFiles, splitGroup, unifiedGroup, writeHostFiles } from './host-fixture.ts';

const beganMs = Date.parse('2026-11-21T10:00:00Z');
const all = { count: 60 };

interface Info {
  readonly name: string;
  readonly subcontainers?: readonly { readonly name: string }[];
  readonly spec: { readonly cpu: object; readonly memory: object; readonly has_network: boolean };
  readonly stats: readonly {
    readonly timestamp: string;
    readonly cpu: { readonly usage: { readonly total: number }; readonly cfs: object };
    readonly memory: object;
    readonly network: object;
    readonly filesystem?: readonly object[];
  }[];
}

describe('figures of control groups', () => {
  let directory: TemporaryDirectory;
  let clock: ManualClock;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    clock = new ManualClock(beganMs);
  });
  afterEach(() => directory.remove());

  async function open(files: Readonly<Record<string, string>>): Promise<AgentStats> {
    await writeHostFiles(directory.path, { ...machineFiles, ...files });
    const config = {
      rootDir: directory.path,
      cgroupsPerQos: true,
      cgroupRoot: '',
      housekeepingIntervalMs: 10_000,
    };
    const options = { config, dialect: orchDialect, clock, hostRoot: directory.path };
    return createAgentStats(options as unknown as AgentServersOptions); // figures of groups need no more
  }
  const split = {
    ...splitGroup('/'),
    ...splitGroup('/a'),
    ...splitGroup('/a/b'),
    '/sys/fs/cgroup/cpuset/a/cpuset.cpus': '0-1',
    '/sys/fs/cgroup/cpuacct/a/cpuacct.usage_percpu': '20 30',
    '/sys/fs/cgroup/cpu/a/cpu.stat': 'nr_periods 4\nnr_throttled 3\nthrottled_time 200',
  };
  const describeOne = async (stats: AgentStats, name: string, query = all): Promise<Info> =>
    (await stats.raw.describe(name, query)) as Info;

  it('have the names of the reference', async () => {
    const info = await describeOne(await open(split), '/a');
    expect(info.name).to.equal('/a');
    expect(info.subcontainers).to.deep.equal([{ name: '/a/b' }]);
    expect(info.spec).to.deep.include({
      cpu: { limit: 512, max_limit: 0, mask: '0-1', period: 100_000 },
      has_network: false,
    });
    expect(info.spec.memory).to.deep.equal({
      limit: 1000,
      reservation: 2 ** 63 - 4096,
      swap_limit: 2 ** 63 - 4096,
    });
    const [sample] = info.stats;
    expect(sample?.timestamp).to.equal('2026-11-21T10:00:00.000Z');
    expect(sample?.network).to.deep.include({ udp: { Listen: 0, Dropped: 0, RxQueued: 0, TxQueued: 0 } });
    for (const kind of ['tcp', 'tcp6'])
      expect(sample?.network).to.have.nested.property(`${kind}.Established`, 0);
    expect(sample?.memory).to.have.nested.property('hierarchical_data.numa_stats').that.deep.equals({});
    expect(sample?.cpu.usage).to.deep.equal({
      total: 5e9,
      per_cpu_usage: [20, 30],
      user: 3e9,
      system: 2e9,
    });
    expect(sample?.cpu.cfs).to.deep.equal({ periods: 4, throttled_periods: 3, throttled_time: 200 });
    expect(sample?.memory).to.deep.include({
      usage: 900,
      working_set: 850,
      container_data: { pgfault: 3, pgmajfault: 4, numa_stats: {} },
    });
    expect(sample).to.not.have.property('filesystem');
  });

  it('are those of version 2 as well', async () => {
    const files = { '/sys/fs/cgroup/cgroup.controllers': 'cpu', ...unifiedGroup('/a') };
    const [sample] = (await describeOne(await open(files), 'a')).stats;
    expect(sample?.cpu.usage).to.deep.equal({ total: 5e9, user: 3e9, system: 2e9 });
    expect(sample?.memory).to.deep.include({ usage: 900, working_set: 850 });
  });

  it('show network and file systems with the root', async () => {
    const info = await describeOne(await open(split), '/');
    expect(info.spec.has_network).to.equal(true);
    expect(info.stats[0]?.network).to.deep.include({ name: 'ens3', rx_bytes: 10, tx_dropped: 80 });
    expect(info.stats[0]?.filesystem).to.have.length(1);
  });

  it('are kept for the interval, and old samples for two minutes, so that rates can be formed', async () => {
    const stats = await open(split);
    await describeOne(stats, '/a');
    await writeFile(join(directory.path, '/sys/fs/cgroup/cpuacct/a/cpuacct.usage'), '7000000000\n');
    const totals = async (query = all): Promise<number[]> =>
      (await describeOne(stats, '/a', query)).stats.map(({ cpu }) => cpu.usage.total);
    clock.advance(9000);
    expect(await totals()).to.deep.equal([5e9]);
    clock.advance(1000);
    expect(await totals()).to.deep.equal([5e9, 7e9]);
    expect(await totals({ count: 1 })).to.deep.equal([7e9]);
    clock.advance(115_000);
    expect(await totals()).to.deep.equal([7e9, 7e9]);
  });

  it('come for a whole tree, and for no group that is not there', async () => {
    const stats = await open(split);
    expect(Object.keys(await stats.raw.describeTree('/', all))).to.deep.equal(['/', '/a', '/a/b']);
    expect(await stats.raw.describeTree('/none', all)).to.deep.equal({});
    expect(await stats.raw.describe('/none', all)).to.equal(undefined);
  });
});

describe('groupPath', () => {
  for (const [name, path] of [
    ['', '/'],
    ['a//b/', '/a/b'],
    ['../../etc', '/etc'],
    ['/a/../../x', '/x'],
    ['/a\0b', '/ab'],
  ] as const) {
    it(`leads ${JSON.stringify(name)} to ${path}`, () => {
      expect(groupPath(name)).to.equal(path);
    });
  }
});

describe('chooseSamples', () => {
  const samples = [1, 2, 3, 4].map((atMs) => ({ atMs, stats: {} }));
  const choose = (query: Parameters<typeof chooseSamples>[1]) =>
    chooseSamples(samples, query).map(({ atMs }) => atMs);

  it('gives the newest of those within the times; with both times all of them', () => {
    expect(choose({ count: 2 })).to.deep.equal([3, 4]);
    expect(choose({ count: 0 })).to.deep.equal([]);
    expect(choose({ count: -1 })).to.deep.equal([1, 2, 3, 4]);
    expect(choose({ count: 1, endMs: 3 })).to.deep.equal([3]);
    expect(choose({ count: 1, startMs: 2, endMs: 3 })).to.deep.equal([2, 3]);
  });
});

describe('parseStatsRequest', () => {
  it('reads what is there, and has the defaults of the reference', () => {
    expect(parseStatsRequest({})).to.deep.equal({
      name: '/',
      count: 60,
      startMs: undefined,
      endMs: undefined,
      hasSubcontainers: false,
    });
    const start = '2026-11-21T10:00:00Z';
    const given = {
      containerName: '/a',
      num_stats: 2,
      start,
      end: '0001-01-01T00:00:00Z',
      subcontainers: true,
    };
    expect(parseStatsRequest(given)).to.deep.equal({
      name: '/a',
      count: 2,
      startMs: beganMs,
      endMs: undefined,
      hasSubcontainers: true,
    });
  });

  it('refuses what is something else', () => {
    for (const bad of [
      null,
      'x',
      { num_stats: '2' },
      { containerName: 1 },
      { start: 'noon' },
      { subcontainers: 1 },
    ]) {
      expect(() => parseStatsRequest(bad), JSON.stringify(bad)).to.throw(TypeError);
    }
  });
});
