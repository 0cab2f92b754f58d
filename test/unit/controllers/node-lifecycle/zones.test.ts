import { expect } from 'chai';
import {
  decideZones,
  isLeftOut,
  type ZoneState,
  zoneOf,
} from '../../../../src/controllers/node-lifecycle/zones.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';

const settings = {
  nodeEvictionRate: 1,
  secondaryNodeEvictionRate: 0.5,
  largeClusterSizeThreshold: 6,
  unhealthyZoneThreshold: 0.5,
};

/** Zones as `NAME:READY/ALL`. */
function decide(zones: string[], before: Record<string, ZoneState> = {}) {
  const statuses = new Map(
    zones.map((text) => {
      const [name = '', ready = 0, all = 0] = text
        .split(/[:/]/)
        .map((part, at) => (at === 0 ? part : Number(part)));
      const list = Array.from({ length: Number(all) }, (_, index) =>
        index < Number(ready) ? 'True' : 'Unknown',
      );
      return [String(name), list];
    }),
  );
  const { states, rates, change } = decideZones(new Map(Object.entries(before)), statuses, settings);
  return {
    zones: Array.from(states, ([name, state]) => `${name} ${state} ${rates.get(name)}`),
    change,
  };
}

describe('the rates at which zones lose pods', () => {
  const cases: [string, string[], Record<string, ZoneState>, string[], 'lost' | 'found' | undefined][] = [
    ['a zone with few nodes that are not ready', ['a:4/6'], {}, ['a normal 1'], undefined],
    ['a small zone with two of two', ['a:0/2', 'b:1/1'], {}, ['a full 1', 'b normal 1'], undefined],
    ['a small zone with too many', ['a:3/6'], {}, ['a partial 0'], undefined],
    ['two are never too many', ['a:1/3'], {}, ['a normal 1'], undefined],
    ['a large zone with too many', ['a:3/7'], {}, ['a partial 0.5'], undefined],
    [
      'a zone without any, where another works',
      ['a:0/9', 'b:1/4'],
      {},
      ['a full 1', 'b partial 0'],
      undefined,
    ],
    ['no zone works', ['a:0/1', 'b:0/5'], { a: 'normal', b: 'full' }, ['a full 0', 'b full 0'], 'lost'],
    ['still none', ['a:0/1', 'b:0/5'], { a: 'full', b: 'full' }, ['a full 0', 'b full 0'], undefined],
    ['one works again', ['a:1/1', 'b:0/5'], { a: 'full', b: 'full' }, ['a normal 1', 'b full 1'], 'found'],
    ['zones that are gone do not count', ['b:0/5'], { a: 'normal', b: 'full' }, ['b full 0'], undefined],
    ['no node at all', [], { a: 'full' }, [], undefined],
  ];
  for (const [what, zones, before, expected, change] of cases) {
    it(what, () => expect(decide(zones, before)).to.deep.equal({ zones: expected, change }));
  }
});

describe('the zone of a node', () => {
  const node = (labels: Record<string, string>, name = 'n') => ({ metadata: { name, labels } });
  const of = (labels: Record<string, string>): string => zoneOf(node(labels), orchDialect);

  it('is told by region and zone, older labels first', () => {
    const now = { 'topology.orch.io/region': 'r', 'topology.orch.io/zone': 'z' };
    const older = { 'failure-domain.beta.orch.io/region': 'r', 'failure-domain.beta.orch.io/zone': 'z' };
    expect(of(now)).to.equal(of(older));
    expect(of({ ...now, 'failure-domain.beta.orch.io/zone': 'y' })).not.to.equal(of(now));
    expect(of({})).to.equal(of({ other: 'label' }));
  });

  it('does not hear of masters and of nodes that say so', () => {
    const names = ['n', 'master', 'my-master', 'x-master-abc', 'master-1'];
    expect(names.map((name) => isLeftOut(node({}, name), orchDialect))).to.deep.equal([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(isLeftOut(node({ 'node.orch.io/exclude-disruption': '' }), orchDialect)).to.equal(true);
  });
});
