import { expect } from 'chai';
import fc from 'fast-check';
import type { NodeCondition, Taint, Toleration } from '../../../../src/apis/types/core-v1.ts';
import {
  afterWrite,
  decideHealth,
  type NodeHealth,
} from '../../../../src/controllers/node-lifecycle/health.ts';
import { toleratedForMs } from '../../../../src/controllers/node-lifecycle/tolerance.ts';
import { decideZones, type ZoneState } from '../../../../src/controllers/node-lifecycle/zones.ts';

const beginMs = Date.parse('2026-01-01T00:00:00Z');
const at = (second: number): string => `${new Date(beginMs + second * 1000).toISOString().slice(0, 19)}Z`;
const settings = { monitorGraceMs: 40_000, startupGraceMs: 60_000, agent: 'Agent' };

const anyConditions = fc.uniqueArray(
  fc.record({
    type: fc.constantFrom('Ready', 'MemoryPressure', 'DiskPressure', 'NetworkUnavailable', 'Mine'),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    lastHeartbeatTime: fc.nat(30).map(at),
    lastTransitionTime: fc.nat(30).map(at),
  }),
  { selector: ({ type }) => type },
);
/** What happens between looks at a node. */
const anyLife = fc.array(
  fc.record({
    pauseSeconds: fc.integer({ min: 1, max: 50 }),
    isReported: fc.boolean(),
    isRenewed: fc.boolean(),
    status: fc.constantFrom('True', 'False'),
  }),
  { maxLength: 30 },
);

describe('the health of any node', () => {
  it('is unknown once it was silent for too long, is then written once, and keeps what others say', () => {
    fc.assert(
      fc.property(anyConditions, anyLife, (first, life) => {
        let conditions: NodeCondition[] = first;
        let before: NodeHealth | undefined;
        let renewTime: string | undefined;
        let second = 30;
        let heardSecond = second;
        let isFirst = true;
        for (const { pauseSeconds, isReported, isRenewed, status } of life) {
          second += pauseSeconds;
          if (isReported) {
            const others = conditions.filter(({ type }) => type !== 'Ready');
            const said = { lastHeartbeatTime: at(second), lastTransitionTime: at(second) };
            conditions = [...others, { type: 'Ready', status, ...said }];
          }
          if (isRenewed) renewTime = at(second);
          if (isReported || isRenewed || isFirst) heardSecond = second;
          isFirst = false;
          const node = { metadata: { name: 'n', creationTimestamp: at(0) }, status: { conditions } };
          const nowMs = beginMs + second * 1000;
          const found = decideHealth({ node, renewTime, before, nowMs }, settings);
          const silentMs = (second - heardSecond) * 1000;
          const ready = conditions.find(({ type }) => type === 'Ready')?.status;
          if (ready === 'True' || ready === 'False') {
            expect(found.conditions !== undefined, 'written').to.equal(silentMs > settings.monitorGraceMs);
          } else if (ready === 'Unknown') expect(found.conditions).to.equal(undefined);
          before = found.health;
          if (found.conditions === undefined) continue;
          expect(found.current).to.equal('Unknown');
          const byType = new Map(found.conditions.map((condition) => [condition.type, condition]));
          expect(byType.size).to.equal(found.conditions.length);
          for (const condition of conditions) {
            const isOfOthers = condition.type === 'Mine' || condition.type === 'NetworkUnavailable';
            const next = byType.get(condition.type);
            if (isOfOthers) expect(next).to.equal(condition);
            else expect(next?.status).to.equal('Unknown');
          }
          conditions = found.conditions;
          before = afterWrite(found, nowMs);
          const after = { ...node, status: { conditions } };
          const again = decideHealth({ node: after, renewTime, before, nowMs: nowMs + 3_600_000 }, settings);
          expect(again.conditions, 'an hour later').to.equal(undefined);
        }
      }),
    );
  });
});

describe('the zones of any cluster', () => {
  const zoneSettings = {
    nodeEvictionRate: 0.1,
    secondaryNodeEvictionRate: 0.01,
    largeClusterSizeThreshold: 5,
    unhealthyZoneThreshold: 0.55,
  };
  const anyStatuses = fc.array(fc.constantFrom('True', 'True', 'False', 'Unknown', undefined), {
    maxLength: 12,
  });
  const anyZones = fc.dictionary(fc.constantFrom('a', 'b', 'c'), anyStatuses);

  it('evict at no more than the usual rate, none where nothing works, and change once', () => {
    fc.assert(
      fc.property(anyZones, anyZones, (earlier, now) => {
        const decide = (before: ReadonlyMap<string, ZoneState>, zones: typeof now) =>
          decideZones(before, new Map(Object.entries(zones)), zoneSettings);
        const found = decide(decide(new Map(), earlier).states, now);
        expect(decide(found.states, now).change).to.equal(undefined);
        const backwards = Object.fromEntries(
          Object.entries(now)
            .reverse()
            .map(([zone, statuses]) => [zone, statuses.toReversed()]),
        );
        const other = decide(found.states, backwards);
        const sorted = (entries: Iterable<readonly [string, unknown]>) => new Map([...entries].sort());
        expect(sorted(other.rates)).to.deep.equal(sorted(found.rates));
        expect(sorted(other.states)).to.deep.equal(sorted(found.states));
        const someWorks = Object.values(now).some((statuses) => statuses.includes('True'));
        const hasEmpty = Object.values(now).some((statuses) => statuses.length === 0);
        for (const [zone, rate] of found.rates) {
          expect(rate).to.be.within(0, zoneSettings.nodeEvictionRate);
          if (!someWorks && !hasEmpty) expect(rate).to.equal(0);
          const statuses = now[zone] ?? [];
          const unready = statuses.filter((status) => status !== 'True').length;
          const isDisturbed = unready > 2 && unready < statuses.length && unready / statuses.length >= 0.55;
          const isSmall = statuses.length <= zoneSettings.largeClusterSizeThreshold;
          if (isDisturbed) expect(rate).to.equal(isSmall ? 0 : zoneSettings.secondaryNodeEvictionRate);
        }
      }),
    );
  });
});

describe('how long any pod may stay', () => {
  const key = fc.constantFrom('a', 'b', 'c');
  const anyTaints = fc.array(fc.record({ key, effect: fc.constant('NoExecute') }), { maxLength: 3 });
  const anyTolerations = fc.array(
    fc.record({
      key,
      operator: fc.constant('Exists'),
      tolerationSeconds: fc.option(fc.integer({ min: -5, max: 300 }), { nil: undefined }),
    }),
    { maxLength: 4 },
  );

  it('is never less than nothing, and no longer with one taint more, in any order of taints', () => {
    fc.assert(
      fc.property(anyTaints, key, anyTolerations, (taints: Taint[], more, parts) => {
        const tolerations = parts as Toleration[];
        const leftMs = toleratedForMs(taints, tolerations);
        expect(leftMs).to.be.least(0);
        expect(toleratedForMs(taints.toReversed(), tolerations)).to.equal(leftMs);
        const withMore = [...taints, { key: more, effect: 'NoExecute' }];
        expect(toleratedForMs(withMore, tolerations)).to.be.most(leftMs);
        const isTolerated = tolerations.some((toleration) => toleration.key === more);
        if (!isTolerated) expect(toleratedForMs(withMore, tolerations)).to.equal(0);
        if (taints.length === 0) expect(leftMs).to.equal(Number.POSITIVE_INFINITY);
      }),
    );
  });
});
