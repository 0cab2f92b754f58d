import type { Node } from '../../apis/types/core-v1.ts';

/** Sizes of clusters, each with how long agents may take secrets and config maps from their caches, in seconds. */
const steps = [
  { from: 0, to: 100, seconds: 0 },
  { from: 90, to: 500, seconds: 15 },
  { from: 450, to: 1000, seconds: 30 },
  { from: 900, to: 2000, seconds: 60 },
  { from: 1800, to: 10000, seconds: 300 },
  { from: 9000, to: Number.POSITIVE_INFINITY, seconds: 600 },
];

/** How long a cache may count. Sizes overlap, so that a node more or less changes nothing twice. Source: release 1.20, `ttlBoundaries`. */
export class CacheTime {
  #step = 0;

  /** In seconds. */
  secondsFor(nodes: number): number {
    while (nodes > (steps[this.#step]?.to ?? 0)) this.#step++;
    while (nodes < (steps[this.#step]?.from ?? 0)) this.#step--;
    return steps[this.#step]?.seconds ?? 0;
  }
}

/** The text that a node's annotation is to have; undefined when it has it. Pure. */
export function decideAnnotation(
  { metadata: { annotations } }: Pick<Node, 'metadata'>,
  annotation: string,
  seconds: number,
): string | undefined {
  const text = String(seconds);
  return annotations?.[annotation] === text ? undefined : text;
}
