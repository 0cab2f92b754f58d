import type { Node } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';

/** How much of a zone still works. */
export type ZoneState = 'normal' | 'partial' | 'full';

/** From when on a zone is disturbed, and how fast pods are evicted then: nodes per second. */
export interface ZoneSettings {
  readonly nodeEvictionRate: number;
  readonly secondaryNodeEvictionRate: number;
  /** Zones of at most this many nodes evict nothing while they are disturbed in part. */
  readonly largeClusterSizeThreshold: number;
  /** The share of nodes that are not ready. */
  readonly unhealthyZoneThreshold: number;
}

/** The zones as they are now. */
export interface ZoneDecision {
  readonly states: ReadonlyMap<string, ZoneState>;
  /** Nodes per second that may begin to lose their pods. */
  readonly rates: ReadonlyMap<string, number>;
  /** `lost`: no node is ready any more, so that the fault is likely here; `found`: that is over. */
  readonly change: 'lost' | 'found' | undefined;
}

/** The zone of a node; all nodes without one are in one. Source: release 1.20, `GetZoneKey`. */
export function zoneOf({ metadata: { labels = {} } }: Pick<Node, 'metadata'>, dialect: Dialect): string {
  const of = (name: string): string =>
    labels[dialect.domain('failure-domain.beta', name)] ?? labels[dialect.domain('topology', name)] ?? '';
  return `${of('region')}\0${of('zone')}`;
}

/** Nodes whose state says nothing about their zone. Source: release 1.20, `isNodeExcludedFromDisruptionChecks`. */
export function isLeftOut(
  { metadata: { name = '', labels = {} } }: Pick<Node, 'metadata'>,
  dialect: Dialect,
) {
  const isMaster = name.endsWith('master') || (name.length >= 10 && name.slice(0, -3).endsWith('master-'));
  return isMaster || labels[dialect.domain('node', 'exclude-disruption')] !== undefined;
}

function stateOf(statuses: readonly (string | undefined)[], threshold: number): ZoneState {
  const unready = statuses.filter((status) => status !== 'True').length;
  if (unready > 0 && unready === statuses.length) return 'full';
  return unready > 2 && unready / statuses.length >= threshold ? 'partial' : 'normal';
}

/**
 * How fast zones may evict pods, by the statuses of their nodes' condition `Ready`. Where some node of the cluster works, a zone
 * without any evicts as usual; where none does, nothing is evicted. Pure. Source: release 1.20, `handleDisruption`.
 */
export function decideZones(
  before: ReadonlyMap<string, ZoneState>,
  statuses: ReadonlyMap<string, readonly (string | undefined)[]>,
  settings: ZoneSettings,
): ZoneDecision {
  const states = new Map(
    Array.from(statuses, ([zone, list]) => [zone, stateOf(list, settings.unhealthyZoneThreshold)]),
  );
  const isLost = areAllLost(states);
  const wasLost = areAllLost(new Map([...before].filter(([zone]) => states.has(zone))));
  const rateOf = (zone: string, state: ZoneState): number => {
    if (isLost) return 0;
    if (state !== 'partial') return settings.nodeEvictionRate;
    const size = statuses.get(zone)?.length ?? 0;
    return size > settings.largeClusterSizeThreshold ? settings.secondaryNodeEvictionRate : 0;
  };
  const rates = new Map(Array.from(states, ([zone, state]) => [zone, rateOf(zone, state)]));
  const change = isLost === wasLost ? undefined : isLost ? 'lost' : 'found';
  return { states, rates, change };
}

const areAllLost = (states: ReadonlyMap<string, ZoneState>): boolean =>
  states.size > 0 && [...states.values()].every((state) => state === 'full');
