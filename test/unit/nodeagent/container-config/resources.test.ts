import { expect } from 'chai';
import { describe, it } from 'mocha';
import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  burstableCpuShares,
  type CgroupSettings,
  containerResources,
  formatCgroupName,
  formatPageSize,
  oomScoreAdjustment,
  podCgroupBounds,
  podCgroupParent,
  qosCgroupName,
} from '../../../../src/nodeagent/container-config/index.ts';
import { containerOf, nodeOf, podOf } from './pods.ts';

type Resources = Container['resources'];

const boundsOf = (resources: Resources, settings: Parameters<typeof nodeOf>[0] = {}) => {
  const container = containerOf({ resources });
  return containerResources({ ...nodeOf(settings), pod: podOf({ containers: [container] }), container });
};

const podWith = (...all: Resources[]): Pod =>
  podOf({ containers: all.map((resources, index) => containerOf({ name: `c${index}`, resources })) });

const guaranteed = { requests: { cpu: '1', memory: '64Mi' }, limits: { cpu: '1', memory: '64Mi' } };
const burstable = { requests: { cpu: '100m', memory: '16Mi' }, limits: { memory: '32Mi' } };

describe('containerResources', () => {
  it('gives a container without amounts the least, and no bounds', () => {
    expect(boundsOf({}, { hugepageSizes: [] })).to.deep.equal({
      cpuShares: 2,
      cpuQuotaUs: 0,
      cpuPeriodUs: 100_000,
      oomScoreAdj: 1000,
      hugepageLimits: [],
    });
  });

  it('names the processors that the container may use, when it may not use all', () => {
    const container = containerOf({});
    const bounds = { ...nodeOf({}), pod: podOf({ containers: [container] }), container };
    expect(containerResources({ ...bounds, cpusetCpus: '0-1,4' })).to.include({ cpusetCpus: '0-1,4' });
    expect(containerResources(bounds)).not.to.have.property('cpusetCpus');
  });

  const cases: readonly (readonly [string, Resources, object])[] = [
    ['limits.memory alone', { limits: { memory: '32Mi' } }, { cpuShares: 2, memoryLimitBytes: 33_554_432 }],
    [
      'requests and a memory limit',
      burstable,
      { cpuShares: 102, cpuQuotaUs: 0, memoryLimitBytes: 33_554_432 },
    ],
    [
      'fractions',
      { limits: { cpu: '1500m' }, requests: { cpu: '250m' } },
      { cpuShares: 256, cpuQuotaUs: 150_000 },
    ],
    ['tiny amounts', { limits: { cpu: '2m' }, requests: { cpu: '1m' } }, { cpuShares: 2, cpuQuotaUs: 1000 }],
    ['a limit that is the request too', { limits: { cpu: '2' } }, { cpuShares: 2048, cpuQuotaUs: 200_000 }],
  ];
  for (const [name, resources, expected] of cases) {
    it(`bounds ${name} as recorded`, () => expect(boundsOf(resources)).to.include(expected));
  }

  it('takes the period that the agent is told, and no quota where limits are not enforced', () => {
    const limits = { limits: { cpu: '500m' } };
    const slow = boundsOf(limits, { cpuBounding: { isEnforced: true, periodUs: 20_000 } });
    expect(slow).to.include({ cpuQuotaUs: 10_000, cpuPeriodUs: 20_000 });
    const free = boundsOf(limits, { cpuBounding: { isEnforced: false, periodUs: 100_000 } });
    expect(free).to.not.have.any.keys('cpuQuotaUs', 'cpuPeriodUs');
  });

  it('bounds huge pages of all sizes of the machine', () => {
    const limits = { 'hugepages-2Mi': '4Mi', 'hugepages-1Mi': '1Mi' };
    const { hugepageLimits } = boundsOf({ limits }, { hugepageSizes: ['2MB', '1GB'] });
    expect(hugepageLimits).to.deep.equal([
      { pageSize: '2MB', limitBytes: 4_194_304 },
      { pageSize: '1GB', limitBytes: 0 },
    ]);
  });

  it('keeps amounts within exact numbers', () => {
    expect(boundsOf({ limits: { memory: '8Ei' } }).memoryLimitBytes).to.equal(Number.MAX_SAFE_INTEGER);
  });
});

describe('formatPageSize', () => {
  it('names sizes as control groups do', () => {
    expect([65_536n, 2n ** 21n, 2n ** 30n, 512n].map(formatPageSize)).to.deep.equal([
      '64KB',
      '2MB',
      '1GB',
      '512B',
    ]);
  });
});

describe('oomScoreAdjustment', () => {
  const scoreOf = (resources: Resources, spec: Partial<Pod['spec']> = {}, metadata = {}) => {
    const container = containerOf({ resources });
    const pod = podOf({ containers: [container], ...spec }, metadata);
    return oomScoreAdjustment({ pod, container, memoryCapacityBytes: 1024 ** 3, dialect: orchDialect });
  };

  it('depends on the class, then on the memory that was asked for', () => {
    const asking = (memory: string) => scoreOf({ requests: { memory } });
    expect([scoreOf(guaranteed), scoreOf({})]).to.deep.equal([-998, 1000]);
    expect(['1', '256Mi', '512Mi', '1Gi', '4Gi'].map(asking)).to.deep.equal([999, 750, 500, 2, 2]);
  });

  it('protects pods that the node needs', () => {
    const critical = { priorityClassName: 'system-node-critical' };
    const fromFile = { annotations: { 'orch.io/config.source': 'file' } };
    const mirror = { annotations: { 'orch.io/config.mirror': 'h', 'orch.io/config.source': 'api' } };
    expect([
      scoreOf({}, { ...critical, priority: 2_000_001_000 }),
      scoreOf({}, critical, fromFile),
      scoreOf({}, critical, mirror),
      scoreOf({}, critical),
      scoreOf({}, {}, fromFile),
    ]).to.deep.equal([-998, -998, -998, 1000, 1000]);
  });
});

describe('podCgroupBounds', () => {
  const options = { cpuBounding: { isEnforced: true, periodUs: 100_000 }, podPidsLimit: -1 };

  it('bounds Guaranteed pods by all limits', () => {
    expect(podCgroupBounds(podWith(guaranteed, guaranteed), { ...options, podPidsLimit: 64 })).to.deep.equal({
      cpuShares: 2048,
      cpuQuotaUs: 200_000,
      cpuPeriodUs: 100_000,
      memoryLimitBytes: 128 * 1024 ** 2,
      pidsLimit: 64,
      hugepageLimits: new Map(),
    });
  });

  it('bounds Burstable pods by what all containers limit', () => {
    const bounds = podCgroupBounds(podWith(burstable, guaranteed), options);
    expect(bounds).to.include({ cpuShares: 1126, memoryLimitBytes: 96 * 1024 ** 2 });
    expect(bounds).to.not.have.any.keys('cpuQuotaUs', 'pidsLimit');
    expect(podCgroupBounds(podWith(burstable, {}), options)).to.not.have.any.keys('memoryLimitBytes');
  });

  it('leaves BestEffort pods unbounded, with the least weight', () => {
    expect(podCgroupBounds(podWith({}), options)).to.deep.equal({ cpuShares: 2, hugepageLimits: new Map() });
  });

  it('counts init containers alone, and the overhead on top', () => {
    const pod = podWith(guaranteed);
    const large = { requests: { cpu: '3', memory: '1Mi' }, limits: { cpu: '3', memory: '1Mi' } };
    pod.spec.initContainers = [containerOf({ name: 'i', resources: large })];
    pod.spec.overhead = { cpu: '1' };
    expect(podCgroupBounds(pod, options)).to.include({ cpuShares: 4096, cpuQuotaUs: 400_000 });
  });

  it('has no quota where limits are not enforced', () => {
    const bounds = podCgroupBounds(podWith(guaranteed), {
      ...options,
      cpuBounding: { isEnforced: false, periodUs: 9 },
    });
    expect(bounds.cpuQuotaUs).to.equal(-1);
  });
});

describe('burstableCpuShares', () => {
  it('adds up what Burstable pods ask for', () => {
    expect(
      burstableCpuShares([podWith(burstable), podWith(guaranteed), podWith(burstable), podWith({})]),
    ).to.equal(204);
    expect(burstableCpuShares([])).to.equal(2);
  });
});

describe('podCgroupParent', () => {
  const settings: CgroupSettings = { driver: 'cgroupfs', root: '', isPerQos: true };
  const pods = [podWith(guaranteed), podWith(burstable), podWith({})];
  const parentsOf = (changes: Partial<CgroupSettings>, dialect = orchDialect) =>
    pods.map((pod) => podCgroupParent(pod, { ...settings, ...changes }, dialect));

  it('is a path for cgroupfs', () => {
    expect(parentsOf({})).to.deep.equal([
      '/orchpods/podu-1',
      '/orchpods/burstable/podu-1',
      '/orchpods/besteffort/podu-1',
    ]);
    expect(parentsOf({ root: '/a/b/' })[0]).to.equal('/a/b/orchpods/podu-1');
  });

  it('is a chain of slices for systemd', () => {
    const [first, second] = parentsOf({ driver: 'systemd' }, createDialect('kubernetes'));
    expect(first).to.equal('/kubepods.slice/kubepods-podu_1.slice');
    expect(second).to.equal('/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podu_1.slice');
  });

  it('is left to the runtime when pods get no groups of their own', () => {
    expect(parentsOf({ isPerQos: false })).to.deep.equal([undefined, undefined, undefined]);
  });

  it('lies in the group of its class', () => {
    expect(qosCgroupName('Guaranteed', settings, orchDialect)).to.deep.equal(['orchpods']);
    expect(formatCgroupName([], 'systemd')).to.equal('/');
    expect(formatCgroupName([], 'cgroupfs')).to.equal('/');
  });
});
