import type { Pod } from '../../apis/types/core-v1.ts';

/** What garbage is told from. */
export interface GarbageState {
  readonly pods: readonly Pod[];
  /** Pods that have ended and may stay; 0: all of them. */
  readonly threshold: number;
  /** Nodes that are gone for long enough. */
  readonly lostNodes: ReadonlySet<string>;
}

/**
 * The pods to delete: the oldest that have ended beyond the threshold, those of lost nodes, and those that are going but were never on
 * a node. Pure. Source: release 1.20, `pkg/controller/podgc`.
 */
export function decideGarbage({ pods, threshold, lostNodes }: GarbageState): Pod[] {
  const ended = pods
    .filter(({ status }) => status.phase === 'Succeeded' || status.phase === 'Failed')
    .sort((a, b) => (ageOf(a) < ageOf(b) ? -1 : 1));
  const excess = threshold > 0 ? ended.slice(0, Math.max(0, ended.length - threshold)) : [];
  const stranded = pods.filter(({ metadata, spec }) =>
    spec.nodeName ? lostNodes.has(spec.nodeName) : Boolean(metadata.deletionTimestamp),
  );
  return [...new Set([...excess, ...stranded])];
}

/** Different for any two pods, so that it does not matter in which order they were read. */
const ageOf = ({ metadata }: Pod): string =>
  `${metadata.creationTimestamp} ${metadata.name} ${metadata.namespace}`;
