import { expect } from 'chai';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { boundFiles, cpuWeightOf, type GroupBounds } from '../../../../src/nodeagent/cgroups/bound-files.ts';
import { allPodsBounds, qosBounds, reservedBounds } from '../../../../src/nodeagent/cgroups/bounds.ts';
import { createSliceUnits, sliceProperties } from '../../../../src/nodeagent/cgroups/slice-units.ts';
import { containerOf, podOf } from '../container-config/pods.ts';
import { cgroupConfig, reserved } from './cgroup-options.ts';

const mebi = 1024 ** 2;
const textOf = (bounds: GroupBounds, version: 1 | 2): string =>
  boundFiles(bounds, version)
    .map(({ file, value }) => `${file}=${value}`)
    .join(' ');

/** [bounds, files of version 1, files of version 2]. */
const bounded: readonly (readonly [GroupBounds, string, string])[] = [
  [{}, '', ''],
  [{ cpuShares: 2 }, 'cpu.shares=2', 'cpu.weight=1'],
  [{ cpuShares: 1024 }, 'cpu.shares=1024', 'cpu.weight=39'],
  [
    { cpuQuotaUs: 150_000, cpuPeriodUs: 100_000 },
    'cpu.cfs_period_us=100000 cpu.cfs_quota_us=150000',
    'cpu.max=150000 100000',
  ],
  [
    { cpuQuotaUs: -1, cpuPeriodUs: 50_000 },
    'cpu.cfs_period_us=50000 cpu.cfs_quota_us=-1',
    'cpu.max=max 50000',
  ],
  [{ memoryLimitBytes: 32 * mebi }, 'memory.limit_in_bytes=33554432', 'memory.max=33554432'],
  [{ memoryLimitBytes: Number.MAX_SAFE_INTEGER }, 'memory.limit_in_bytes=-1', 'memory.max=max'],
  [{ memoryLimitBytes: 0, pidsLimit: 0 }, '', ''],
  [{ pidsLimit: 100 }, 'pids.max=100', 'pids.max=100'],
  [
    {
      hugepageLimits: new Map([
        ['2MB', 4 * mebi],
        ['1GB', Number.POSITIVE_INFINITY],
      ]),
    },
    'hugetlb.2MB.limit_in_bytes=4194304 hugetlb.1GB.limit_in_bytes=-1',
    'hugetlb.2MB.max=4194304 hugetlb.1GB.max=max',
  ],
];

describe('boundFiles', () => {
  for (const [bounds, first, second] of bounded) {
    it(`writes ${first || 'nothing'} and ${second || 'nothing'}`, () => {
      expect(textOf(bounds, 1)).to.equal(first);
      expect(textOf(bounds, 2)).to.equal(second);
    });
  }
});

describe('cpuWeightOf', () => {
  it('covers the weights from end to end, in order', () => {
    expect([0, 2, 262_144, 1_000_000].map(cpuWeightOf)).to.deep.equal([1, 1, 10_000, 10_000]);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 262_144 }), fc.integer({ min: 2, max: 262_144 }), (a, b) => {
        expect(cpuWeightOf(Math.min(a, b))).to.be.at.most(cpuWeightOf(Math.max(a, b)));
      }),
    );
  });
});

const capacity = { cpuMillis: 2000, memoryBytes: 1000 * mebi, pids: 30_000 };

describe('allPodsBounds', () => {
  const config = {
    ...cgroupConfig,
    systemReservedResources: reserved({ cpuMillis: 100, memoryBytes: 200 * mebi }),
    orchReservedResources: reserved({ cpuMillis: 150, memoryBytes: 100 * mebi, pids: 100 }),
  };

  it('takes off what is reserved where that is enforced', () => {
    expect(allPodsBounds(capacity, config)).to.deep.equal({
      cpuShares: 1792,
      memoryLimitBytes: 700 * mebi,
      pidsLimit: 29_900,
    });
  });

  it('leaves pods the whole node where it is not', () => {
    expect(allPodsBounds(capacity, { ...config, enforceNodeAllocatable: ['system-reserved'] })).to.deep.equal(
      {
        cpuShares: 2048,
        memoryLimitBytes: 1000 * mebi,
        pidsLimit: 30_000,
      },
    );
  });

  it('counts listed processors in place of reserved ones', () => {
    expect(allPodsBounds(capacity, { ...config, reservedCpuIds: [0] }).cpuShares).to.equal(1024);
  });

  it('never bounds below nothing, and huge pages where they are told', () => {
    const hugepages = new Map([['2MB', 2 * mebi]]);
    const bounds = allPodsBounds({ cpuMillis: 100, memoryBytes: 1, hugepages }, config);
    expect(bounds).to.deep.equal({ cpuShares: 2, memoryLimitBytes: 0, hugepageLimits: hugepages });
  });
});

describe('reservedBounds', () => {
  it('bounds only what is reserved', () => {
    expect(reservedBounds(reserved({}))).to.deep.equal({});
    expect(reservedBounds(reserved({ cpuMillis: 500, memoryBytes: 5, pids: 7 }))).to.deep.equal({
      cpuShares: 512,
      memoryLimitBytes: 5,
      pidsLimit: 7,
    });
  });
});

describe('qosBounds', () => {
  const guaranteed = { cpu: '1', memory: '100Mi' };
  const activePods = [
    podOf({ containers: [containerOf({ resources: { limits: guaranteed, requests: guaranteed } })] }),
    podOf({ containers: [containerOf({ resources: { requests: { cpu: '250m', memory: '50Mi' } } })] }),
    podOf({ containers: [containerOf({ resources: { requests: { cpu: '250m' } } })] }),
    podOf(),
  ];

  it('weighs the classes by what their pods ask for', () => {
    const options = { activePods, reservedMemoryPercent: undefined, memoryBytes: 1000 * mebi };
    expect(qosBounds(options)).to.deep.equal({ Burstable: { cpuShares: 512 }, BestEffort: { cpuShares: 2 } });
  });

  it('keeps a share of the memory that better classes have asked for', () => {
    const options = { activePods, reservedMemoryPercent: 50, memoryBytes: 1000 * mebi };
    expect(qosBounds(options).Burstable.memoryLimitBytes).to.equal(950 * mebi);
    expect(qosBounds(options).BestEffort.memoryLimitBytes).to.equal(925 * mebi);
  });
});

describe('createSliceUnits', () => {
  const bounds: GroupBounds = {
    cpuShares: 1024,
    cpuQuotaUs: 33_333,
    cpuPeriodUs: 100_000,
    memoryLimitBytes: mebi,
    pidsLimit: 9,
  };

  it('says bounds in the properties of each version', () => {
    const accounting = ['CPUAccounting=yes', 'MemoryAccounting=yes', 'TasksAccounting=yes'];
    const rest = ['CPUQuota=34%'];
    expect(sliceProperties(bounds, 1)).to.deep.equal([
      ...accounting,
      'CPUShares=1024',
      ...rest,
      'MemoryLimit=1048576',
      'TasksMax=9',
    ]);
    expect(sliceProperties(bounds, 2)).to.deep.equal([
      ...accounting,
      'CPUWeight=39',
      ...rest,
      'MemoryMax=1048576',
      'TasksMax=9',
    ]);
    expect(sliceProperties({ cpuQuotaUs: -1 }, 2)).to.deep.equal(accounting);
  });

  it('starts a slice, sets its bounds and stops it', async () => {
    const calls: string[] = [];
    const units = createSliceUnits(async (program, parameters) => {
      calls.push([program, ...parameters].join(' '));
    });
    await units.start('a-b.slice', { pidsLimit: 9 }, 2);
    await units.stop('a-b.slice');
    expect(calls).to.deep.equal([
      'systemctl start a-b.slice',
      'systemctl set-property --runtime a-b.slice CPUAccounting=yes MemoryAccounting=yes TasksAccounting=yes TasksMax=9',
      'systemctl stop a-b.slice',
    ]);
  });

  it('says which call failed', async () => {
    const units = createSliceUnits(async () => {
      throw new Error('no bus');
    });
    const failure = await units.stop('a.slice').catch((error: unknown) => error);
    expect(failure)
      .to.be.instanceOf(Error)
      .with.property('message', 'control groups: systemctl stop a.slice: no bus');
  });
});
