import type { AlignmentNodes, NodeMask, TopologyHint } from '../cpu-manager/index.ts';
import { countNodes } from '../cpu-manager/index.ts';
import type { ListedDevice } from './plugin-messages.ts';

/** The devices of one resource, as its plugin listed them last. */
export interface ResourceDevices {
  readonly healthy: ReadonlySet<string>;
  readonly unhealthy: ReadonlySet<string>;
  /** NUMA nodes that devices are near to; those that say nothing of it are not in it. */
  readonly nodesOf: ReadonlyMap<string, readonly number[]>;
}

/** A resource whose plugin is not there. */
export const noDevices: ResourceDevices = {
  healthy: new Set(),
  unhealthy: new Set(),
  nodesOf: new Map(),
};

/** What a plugin's list says. */
export function readDevices(listed: readonly ListedDevice[]): ResourceDevices {
  const isHealthy = ({ health }: ListedDevice): boolean => health === 'Healthy';
  const near = listed.flatMap(({ ID, topology }): [string, readonly number[]][] =>
    topology === null ? [] : [[ID, topology.nodes.map((node) => node.ID)]],
  );
  return {
    healthy: new Set(listed.filter(isHealthy).map(({ ID }) => ID)),
    unhealthy: new Set(listed.filter((one) => !isHealthy(one)).map(({ ID }) => ID)),
    nodesOf: new Map(near),
  };
}

/** The same when the plugin has gone: nothing is healthy any more. */
export function withoutPlugin({ healthy, unhealthy, nodesOf }: ResourceDevices): ResourceDevices {
  return { healthy: new Set(), unhealthy: healthy.union(unhealthy), nodesOf };
}

/** What hints are made from. */
export interface DeviceHintOptions {
  readonly devices: ResourceDevices;
  readonly nodes: AlignmentNodes;
  /** Devices that nobody has. */
  readonly available: ReadonlySet<string>;
  /** Devices that the pod has already, which the request must use. */
  readonly reusable: ReadonlySet<string>;
  readonly count: number;
}

/**
 * Every combination of nodes that has enough devices for the request; undefined where devices say nothing of nodes, empty
 * where there are not enough.
 */
export function deviceHints(options: DeviceHintOptions): readonly TopologyHint[] | undefined {
  const { devices, nodes, available, reusable, count } = options;
  if (devices.nodesOf.size === 0) return undefined;
  if (available.union(reusable).size < count) return [];
  const masks = deviceMasks(devices, nodes);
  const countIn = (ids: Iterable<string>, mask: NodeMask): number =>
    [...ids].filter((id) => ((masks.get(id) ?? 0) & mask) !== 0).length;
  const found: NodeMask[] = [];
  let least = nodes.length;
  for (let mask = 1; mask < 2 ** nodes.length; mask++) {
    if (countIn(masks.keys(), mask) >= count) least = Math.min(least, countNodes(mask));
    const reused = countIn(reusable, mask);
    const isOutside = reused < [...reusable].filter((id) => masks.has(id)).length;
    if (isOutside || reused + countIn(available, mask) < count) continue;
    found.push(mask);
  }
  return found.map((mask) => ({ nodes: mask, isPreferred: countNodes(mask) === least }));
}

/** Devices with the nodes that they are near to, as bits. */
export function deviceMasks(
  { nodesOf }: ResourceDevices,
  nodes: AlignmentNodes,
): ReadonlyMap<string, NodeMask> {
  const bitOf = (node: number): number => (nodes.includes(node) ? 2 ** nodes.indexOf(node) : 0);
  return new Map([...nodesOf].map(([id, near]) => [id, near.reduce((mask, node) => mask | bitOf(node), 0)]));
}
