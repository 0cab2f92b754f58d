import { expect } from 'chai';
import { chooseDevices, DeviceError } from '../../../../src/nodeagent/devices/choose-devices.ts';
import { groupByNode } from '../../../../src/nodeagent/devices/held-devices.ts';
import {
  deviceHints,
  type ResourceDevices,
  readDevices,
  withoutPlugin,
} from '../../../../src/nodeagent/devices/resource-devices.ts';

/** Devices named by their NUMA nodes: `a0`, `b01`, and `x` for one that says nothing; sick ones with a mark. */
function devicesOf(names: string): ResourceDevices {
  return readDevices(
    names.split(' ').map((name) => {
      const nodes = [...(/\d+/.exec(name)?.[0] ?? '')].map((digit) => ({ ID: Number(digit) }));
      return {
        ID: name.replace('!', ''),
        health: name.endsWith('!') ? 'Unhealthy' : 'Healthy',
        topology: nodes.length === 0 ? null : { nodes },
      };
    }),
  );
}
const set = (names: string): ReadonlySet<string> => new Set(names.split(' ').filter((name) => name !== ''));

describe('chooseDevices', () => {
  const cases: readonly {
    readonly what: string;
    readonly devices: string;
    readonly count: number;
    readonly inUse?: string;
    readonly reusable?: string;
    readonly near?: number;
    readonly prefers?: string;
    readonly chosen?: string;
    readonly problem?: string;
  }[] = [
    {
      what: 'the first of those that are healthy and free',
      devices: 'a b! c d',
      count: 2,
      inUse: 'a',
      chosen: 'c d',
    },
    {
      what: 'those of init containers first',
      devices: 'a b c',
      count: 2,
      inUse: 'c',
      reusable: 'c',
      chosen: 'c a',
    },
    { what: 'no more than are wanted', devices: 'a b', count: 1, reusable: 'a b', chosen: 'a' },
    { what: 'those that are near', devices: 'a0 b1 c0 d1', count: 2, near: 0b10, chosen: 'b1 d1' },
    {
      what: 'all that are near, then others',
      devices: 'x a0 b1 c01',
      count: 3,
      near: 0b10,
      chosen: 'b1 c01 a0',
    },
    { what: 'what the plugin prefers', devices: 'a b c', count: 1, prefers: 'c', chosen: 'c' },
    {
      what: 'what it prefers of those that are near',
      devices: 'a0 b0 c1',
      count: 1,
      near: 1,
      prefers: 'c1 b0',
      chosen: 'b0',
    },
    { what: 'others beside what it prefers', devices: 'a b c', count: 2, prefers: 'c', chosen: 'c a' },
    {
      what: 'nothing that it prefers and somebody has',
      devices: 'a b',
      count: 1,
      inUse: 'b',
      prefers: 'b',
      chosen: 'a',
    },
    {
      what: 'none where there are too few',
      devices: 'a b! c',
      count: 2,
      inUse: 'a',
      problem: 'requested number of devices unavailable for v.com/r. Requested: 2, Available: 1',
    },
    {
      what: 'none where there are too few beside those of init containers',
      devices: 'a b!',
      count: 3,
      reusable: 'b',
      problem: 'requested number of devices unavailable for v.com/r. Requested: 2, Available: 1',
    },
  ];
  for (const { what, count, chosen, problem, ...one } of cases) {
    it(`takes ${what}`, async () => {
      const result = await chooseDevices({
        resource: 'v.com/r',
        count,
        devices: devicesOf(one.devices),
        inUse: set(one.inUse ?? ''),
        reusable: set(one.reusable ?? ''),
        nodes: [0, 1],
        near: one.near,
        prefer: async () => [...set(one.prefers ?? '')],
      }).catch((error: unknown) => error);
      if (problem === undefined) expect(result).to.deep.equal(set(chosen ?? ''));
      else expect(result).to.be.instanceOf(DeviceError).with.property('message', problem);
    });
  }

  it('asks the plugin with what it may choose from, and what it must', async () => {
    const asked: unknown[] = [];
    await chooseDevices({
      resource: 'v.com/r',
      count: 2,
      devices: devicesOf('a0 b0 c0 d1'),
      inUse: set('a0'),
      reusable: set('a0'),
      nodes: [0, 1],
      near: 1,
      prefer: async (available, mustInclude) => {
        asked.push([[...available].sort(), [...mustInclude]]);
        return [];
      },
    });
    expect(asked).to.deep.equal([[['a0', 'b0', 'c0'], ['a0']]]);
  });
});

describe('deviceHints', () => {
  const hintsOf = (devices: string, count: number, available = devices, reusable = '') =>
    deviceHints({
      devices: devicesOf(devices),
      nodes: [0, 1],
      available: set(available.replaceAll('!', '')),
      reusable: set(reusable),
      count,
    })?.map(({ nodes, isPreferred }) => `${nodes}${isPreferred ? '!' : ''}`);

  it('name the nodes that could serve a request, the fewest as preferred', () => {
    expect(hintsOf('a0 b0 c1', 1)).to.deep.equal(['1!', '2!', '3']);
    expect(hintsOf('a0 b0 c1', 2)).to.deep.equal(['1!', '3']);
    expect(hintsOf('a0 b0 c1', 3)).to.deep.equal(['3!']);
    expect(hintsOf('a01 b0', 2)).to.deep.equal(['1!', '3']);
  });

  it('prefer what a free machine could do, though it is not free', () => {
    expect(hintsOf('a0 b0 c1', 2, 'a0 c1')).to.deep.equal(['3']);
  });

  it('hold on to what the pod has', () => {
    expect(hintsOf('a0 b1 c1', 2, 'a0 b1', 'c1')).to.deep.equal(['2!', '3']);
  });

  it('are empty where there are too few, and none where nodes do not matter', () => {
    expect(hintsOf('a0 b0', 3)).to.deep.equal([]);
    expect(hintsOf('a b', 1)).to.equal(undefined);
  });
});

describe('devices', () => {
  it('are all unhealthy without their plugin', () => {
    const { healthy, unhealthy } = withoutPlugin(devicesOf('a b! c'));
    expect([[...healthy], [...unhealthy].sort()]).to.deep.equal([[], ['a', 'b', 'c']]);
  });

  it('are kept by node, those that say nothing with the first', () => {
    expect([...groupByNode(set('x a0 b01'), devicesOf('x a0 b01'))]).to.deep.equal([
      [0, ['a0', 'b01', 'x']],
      [1, ['b01']],
    ]);
  });
});
