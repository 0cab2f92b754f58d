import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import type { AgentEvent } from '../../../../src/nodeagent/events/index.ts';
import {
  type EvictionManager,
  type EvictionOptions,
  startEvictionManager,
} from '../../../../src/nodeagent/eviction/index.ts';
import type { ContainerStats } from '../../../../src/nodeagent/runtime/index.ts';
import type { PodVerdict } from '../../../../src/nodeagent/sync/pod-input.ts';
import { eventually } from '../../../support/eventually.ts';
import { createRecordingLogger } from '../../../support/recording-logger.ts';
import { makeTemporaryDirectory, type TemporaryDirectory } from '../../../support/temporary-directory.ts';
import { ManualClock } from '../../storage/manual-clock.ts';
import { agentConfig } from '../agent-config.ts';
import { container, pod } from './pods.ts';

const mebi = 1024 * 1024;

describe('startEvictionManager', () => {
  let directory: TemporaryDirectory;
  let manager: EvictionManager;
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
    await setFreeMemory(500);
  });
  afterEach(async () => {
    await manager[Symbol.asyncDispose]();
    await directory.remove();
  });

  /** The machine has 1000 Mi. */
  async function setFreeMemory(mebibytes: number): Promise<void> {
    const files = {
      'proc/meminfo': `MemTotal: ${1000 * 1024} kB\nMemFree: ${mebibytes * 1024} kB\n`,
      'proc/sys/kernel/pid_max': '1000',
      'proc/loadavg': '0 0 0 1/100 5',
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(directory.path, path)), { recursive: true });
      await writeFile(join(directory.path, path), text);
    }
  }

  const stats = (podUid: string, workingSetMebi: number, writtenMebi = 0): ContainerStats => ({
    id: podUid,
    metadata: { name: 'c', attempt: 0 },
    labels: { 'io.orch.pod.uid': podUid, 'io.orch.container.name': 'c' },
    annotations: {},
    cpu: undefined,
    memory: { atMs: 0, workingSetBytes: workingSetMebi * mebi },
    writableLayer: { atMs: 0, mountpoint: '', usedBytes: writtenMebi * mebi, inodesUsed: 1 },
  });

  interface Setup {
    readonly flags?: readonly string[];
    readonly pods?: Pod[];
    readonly stats?: readonly ContainerStats[];
    readonly more?: Partial<EvictionOptions>;
  }
  function start({ flags = [], pods = [], stats: shown = [], more = {} }: Setup) {
    const clock = new ManualClock();
    const logger = createRecordingLogger();
    const recorded: AgentEvent[] = [];
    const evicted: [name: string | undefined, verdict: PodVerdict][] = [];
    const signals: string[] = [];
    const ages: string[] = [];
    let changes = 0;
    manager = startEvictionManager({
      config: agentConfig([`--root-dir=${directory.path}`, ...flags]),
      pods: () => pods,
      isStatic: ({ metadata }) => metadata.name?.startsWith('static') === true,
      evict(one, verdict) {
        evicted.push([one.metadata.name, verdict]);
        pods.splice(pods.indexOf(one), 1);
        return Promise.resolve();
      },
      volumeUsage: () => Promise.resolve([]),
      reclaimDisk: () => Promise.resolve(),
      runtime: {
        listContainerStats: ({ labels = {} } = {}) =>
          Promise.resolve(
            shown.filter((one) => Object.entries(labels).every(([key, value]) => one.labels[key] === value)),
          ),
      },
      images: { imageFsInfo: () => Promise.resolve([]) },
      events: { record: (event) => recorded.push(event) },
      dialect: orchDialect,
      clock,
      logger,
      onPressure: () => {
        changes += 1;
      },
      onFigures: (signal, ageMs) => ages.push(`${signal} ${ageMs}`),
      onEvicted: (signal) => signals.push(signal),
      machineRoot: directory.path,
      logsOf: (one) => join(directory.path, 'logs', one.metadata.uid ?? ''),
      ...more,
    });
    const events = () => recorded.map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
    return { manager, clock, logger, evicted, signals, ages, events, changes: () => changes };
  }
  const memory = (threshold: string) => [`--eviction-hard=memory.available<${threshold}`];

  it('leaves pods alone while there is enough', async () => {
    const { evicted, events, changes } = start({ flags: memory('100Mi'), pods: [pod('p')] });
    await manager.check();
    expect([evicted, events(), changes()]).to.deep.equal([[], [], 0]);
    expect(manager.pressure()).to.deep.equal({ memory: false, disk: false, pid: false });
  });

  it('evicts one pod, the worst, and says why', async () => {
    const pods = [pod('small'), pod('large')];
    const { evicted, signals, ages, events, changes } = start({
      flags: memory('600Mi'),
      pods,
      stats: [stats('small', 10), stats('large', 20)],
    });
    await manager.check();
    const message =
      'The node was low on resource: memory. Container c was using 20Mi, which exceeds its request of 0. ';
    expect(evicted).to.deep.equal([['large', { reason: 'Evicted', message, graceMs: 0 }]]);
    expect(events()).to.deep.equal([
      'Warning EvictionThresholdMet: Attempting to reclaim memory',
      `Warning Evicted: ${message}`,
    ]);
    expect(manager.pressure().memory).to.equal(true);
    expect(changes()).to.equal(1);
    expect(signals).to.deep.equal(['memory.available']);
    expect(ages).to.deep.equal(['memory.available 0']);
  });

  it('ends without waiting for a pod that takes long to end', async () => {
    const called = Promise.withResolvers<void>();
    start({
      flags: memory('600Mi'),
      pods: [pod('p')],
      stats: [stats('p', 10)],
      more: {
        evict() {
          called.resolve();
          return new Promise(() => {});
        },
      },
    });
    await called.promise;
    await manager[Symbol.asyncDispose]();
    expect(manager.pressure().memory).to.equal(true);
  });

  it('looks again soon after an eviction, else every ten seconds', async () => {
    const pods = [pod('a'), pod('b')];
    const { evicted, clock } = start({ flags: memory('600Mi'), pods });
    await manager.check();
    for (const waitMs of [999, 1]) {
      while (clock.timerCount === 0) await new Promise(setImmediate);
      expect(evicted).to.have.length(1);
      clock.advance(waitMs);
    }
    await manager.check();
    expect(evicted).to.have.length(2);
  });

  it('looks at once when the kernel says that memory crossed a threshold', async () => {
    // Version 2 of control groups: the counters of the group of pods change.
    const group = join(directory.path, 'sys/fs/cgroup/orchpods');
    const write = async (current: number, events: number): Promise<void> => {
      await mkdir(group, { recursive: true });
      await writeFile(join(group, 'memory.current'), String(current * mebi));
      await writeFile(join(group, 'memory.max'), String(1000 * mebi));
      await writeFile(join(group, 'memory.stat'), 'inactive_file 0\n');
      await writeFile(join(group, 'memory.events'), `high ${events}\n`);
    };
    await write(100, 0);
    const flags = [...memory('100Mi'), '--kernel-memcg-notification'];
    const { manager, clock, evicted } = start({ flags, pods: [pod('p')] });
    await manager.check();
    await write(950, 1);
    await eventually(async () => {
      // The next look by itself would come after ten seconds.
      if (clock.nowMs() < 5000) clock.advance(50);
      return evicted.length > 0 || undefined;
    });
    expect(evicted[0]?.[0]).to.equal('p');
  });

  it('gives pods of soft thresholds the configured grace', async () => {
    const soft = ['--eviction-hard=', '--eviction-soft=memory.available<600Mi'];
    const flags = [...soft, '--eviction-soft-grace-period=memory.available=1m'];
    const { evicted, clock } = start({
      flags: [...flags, '--eviction-max-pod-grace-period=7'],
      pods: [pod('p')],
    });
    await manager.check();
    expect(evicted).to.deep.equal([]);
    expect(manager.pressure().memory).to.equal(true);
    clock.advance(60_000);
    await manager.check();
    expect(evicted[0]?.[1].graceMs).to.equal(7000);
  });

  it('never evicts static and critical pods, but the next one', async () => {
    const critical = pod('critical', { priority: 2_000_000_000 });
    const pods = [pod('static-a'), critical, pod('other', { priority: 2_000_000_000 - 1 })];
    const { evicted, logger } = start({
      flags: memory('600Mi'),
      pods,
      stats: [stats('static-a', 30), stats('other', 1)],
    });
    await manager.check();
    expect(evicted.map(([name]) => name)).to.deep.equal(['other']);
    expect(logger.lines.filter(({ message }) => message.includes('critical pod not evicted'))).to.have.length(
      1,
    );
  });

  it('shows lack of processes', async () => {
    const { events } = start({ flags: ['--eviction-hard=pid.available<99.9%'] });
    await manager.check();
    expect(manager.pressure()).to.deep.equal({ memory: false, disk: false, pid: true });
    expect(events()).to.deep.equal(['Warning EvictionThresholdMet: Attempting to reclaim pids']);
  });

  it('evicts the pod with most processes when they run out', async () => {
    const pods = [pod('few'), pod('many')];
    for (const [name, count] of [
      ['few', 3],
      ['many', 30],
    ] as const) {
      const folder = join(directory.path, `sys/fs/cgroup/pids/orchpods/besteffort/pod${name}`);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'pids.current'), `${count}\n`);
    }
    const { evicted } = start({ flags: ['--eviction-hard=pid.available<99.9%'], pods });
    await manager.check();
    const message = 'The node was low on resource: pids. ';
    expect(evicted).to.deep.equal([['many', { reason: 'Evicted', message, graceMs: 0 }]]);
  });

  it('frees what nobody uses before it evicts for the disk', async () => {
    let reclaimed = 0;
    const { evicted, events } = start({
      flags: ['--eviction-hard=nodefs.available<100000Ti'],
      pods: [pod('p')],
      more: {
        reclaimDisk: () => {
          reclaimed += 1;
          return Promise.resolve();
        },
      },
    });
    await manager.check();
    expect(manager.pressure().disk).to.equal(true);
    expect(events()[0]).to.equal('Warning EvictionThresholdMet: Attempting to reclaim ephemeral-storage');
    expect([reclaimed, evicted.length]).to.deep.equal([1, 1]);
  });

  it('evicts no pod when enough was freed, though not all of it could be', async () => {
    const images = join(directory.path, 'images');
    await symlink('/', images);
    const { evicted, logger } = start({
      flags: ['--eviction-hard=imagefs.available<100000Ti'],
      pods: [pod('p')],
      more: {
        images: {
          imageFsInfo: async () => [{ atMs: 0, mountpoint: images, usedBytes: 0, inodesUsed: 0 }],
        },
        async reclaimDisk() {
          await rm(images);
          throw new Error('one image stays');
        },
      },
    });
    await manager.check();
    expect(evicted).to.deep.equal([]);
    expect(logger.lines.some(({ message }) => message.includes('reclaim failed'))).to.equal(true);
  });

  it('evicts pods over limits of their own however much is left', async () => {
    const limited = pod('limited', { containers: [container('c', {}, { 'ephemeral-storage': '3Mi' })] });
    const volumes = [{ name: 'v', emptyDir: { sizeLimit: '2Mi' } }];
    const pods = [limited, pod('volume', { volumes }), pod('free')];
    const { evicted, events } = start({
      flags: memory('1Mi'),
      pods,
      stats: [stats('limited', 1, 8), stats('volume', 1), stats('free', 1, 99)],
      more: { volumeUsage: () => Promise.resolve([{ name: 'v', usedBytes: 8 * mebi, inodesUsed: 2 }]) },
    });
    await manager.check();
    expect(evicted.map(([name, { message }]) => [name, message])).to.deep.equal([
      ['limited', 'Pod ephemeral local storage usage exceeds the total limit of containers 3Mi. '],
      ['volume', 'Usage of EmptyDir volume "v" exceeds the limit "2Mi". '],
    ]);
    expect(events()).to.have.length(2);
    expect(manager.pressure().disk).to.equal(false);
  });

  it('counts log files against the limit of a pod', async () => {
    const limited = pod('limited', { containers: [container('c', {}, { 'ephemeral-storage': '1Ki' })] });
    const folder = join(directory.path, 'logs', 'limited', 'c');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, '0.log'), 'x'.repeat(1025));
    const { evicted } = start({ flags: memory('1Mi'), pods: [limited], stats: [stats('limited', 1)] });
    await manager.check();
    expect(evicted).to.have.length(1);
  });

  it('measures nothing without the feature', async () => {
    const limited = pod('limited', { containers: [container('c', {}, { 'ephemeral-storage': '3Mi' })] });
    const { evicted } = start({
      flags: [...memory('1Mi'), '--feature-gates=LocalStorageCapacityIsolation=false'],
      pods: [limited],
      stats: [stats('limited', 1, 8)],
    });
    await manager.check();
    expect(evicted).to.deep.equal([]);
  });

  it('goes on after a pod that cannot be ended, and after a runtime that is away', async () => {
    const failing = { evict: () => Promise.reject(new Error('no')) };
    const first = start({ flags: memory('600Mi'), pods: [pod('p')], more: failing });
    await manager.check();
    expect(first.logger.lines.map(({ message }) => message)).to.deep.equal([
      'eviction manager: pod eviction failed',
    ]);
    await manager[Symbol.asyncDispose]();
    const runtime = { listContainerStats: () => Promise.reject(new Error('away')) };
    const second = start({ flags: memory('600Mi'), pods: [pod('p')], more: { runtime } });
    await manager.check();
    expect(second.logger.lines.map(({ level }) => level)).to.deep.equal(['error']);
    expect(manager.pressure().memory).to.equal(true);
  });
});
