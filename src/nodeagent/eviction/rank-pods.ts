import type { Pod } from '../../apis/types/core-v1.ts';
import { quantityValue } from '../../machinery/values/index.ts';
import type { EvictionSignal } from '../options/index.ts';
import { podAmount } from './pod-amounts.ts';
import { type DiskPart, type PodUsage, podDiskUsage, podMemoryBytes } from './pod-usage.ts';
import { signalMeanings } from './signals.ts';

/** A pod and its usage; a pod of unknown usage is evicted first. */
export interface RankedPod {
  readonly pod: Pod;
  readonly usage: PodUsage | undefined;
}

/** The signal whose resource is short; it decides what pods are compared by. */
export interface RankOptions {
  readonly signal: EvictionSignal;
  /** Images and writable layers have a file system of their own. */
  readonly hasImageFs: boolean;
}

interface Key {
  readonly exceeds: number;
  readonly priority: number;
  readonly excess: number;
}

/**
 * Pods in the order in which they are evicted: those that use more than they asked for, then those of lower priority,
 * then those that use most beyond what they asked for. For processes only priority and their number count.
 */
export function rankPods(pods: readonly RankedPod[], options: RankOptions): Pod[] {
  const keyed = pods.map(({ pod, usage }) => ({ pod, key: keyOf(pod, usage, options) }));
  keyed.sort(
    ({ key: a }, { key: b }) =>
      compare(b.exceeds, a.exceeds) || compare(a.priority, b.priority) || compare(b.excess, a.excess),
  );
  return keyed.map(({ pod }) => pod);
}

/** A subtraction would give NaN for two infinities. */
const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

function keyOf(pod: Pod, usage: PodUsage | undefined, options: RankOptions): Key {
  const priority = pod.spec.priority ?? 0;
  const isAboutPids = signalMeanings[options.signal].pressure === 'pid';
  if (usage === undefined) {
    return { exceeds: isAboutPids ? 0 : 2, priority, excess: Number.POSITIVE_INFINITY };
  }
  if (isAboutPids) return { exceeds: 0, priority, excess: usage.processes ?? 0 };
  const excess = usedOf(pod, usage, options) - requestOf(pod, options.signal);
  return { exceeds: excess > 0 ? 1 : 0, priority, excess };
}

function usedOf(pod: Pod, usage: PodUsage, { signal, hasImageFs }: RankOptions): number {
  const { pressure, resource } = signalMeanings[signal];
  if (pressure === 'memory') return podMemoryBytes(usage);
  const disk = podDiskUsage(pod, usage, partsOn(signal, hasImageFs));
  return resource === 'inodes' ? disk.inodesUsed : disk.usedBytes;
}

/** Parts of a pod's files that are on the file system that the signal is about. */
function partsOn(signal: EvictionSignal, hasImageFs: boolean): ReadonlySet<DiskPart> {
  if (!hasImageFs) return new Set(['writable-layers', 'logs', 'volumes']);
  return signal.startsWith('imagefs') ? new Set(['writable-layers']) : new Set(['logs', 'volumes']);
}

/** Nobody asks for inodes. */
function requestOf({ spec }: Pod, signal: EvictionSignal): number {
  const { resource } = signalMeanings[signal];
  const asked = resource === 'inodes' ? undefined : podAmount(spec, 'requests', resource);
  return asked === undefined ? 0 : Number(quantityValue(asked));
}
