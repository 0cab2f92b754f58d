/** The wait before the next start of one container. */
export interface BackOff {
  readonly delayMs: number;
  /** When it was set, which is when the container was started last. */
  readonly setAtMs: number;
}

/** Back-offs of one pod by container and specification; others than those of the pod do no harm. */
export type BackOffs = ReadonlyMap<string, BackOff>;

/** Wait after the second exit of a container; doubles with each further one (release 1.20: `backOffPeriod`). */
export const firstDelayMs = 10_000;
/** Longest wait between two starts, as in release 1.20 (`MaxContainerBackOff`). */
export const maxDelayMs = 300_000;
/** A container that ended so long after its last start begins anew. */
const resetAfterMs = 2 * maxDelayMs;

/** Key of a container's back-off: a new specification has a new one. */
export function backOffKey({ name, specHash }: { readonly name: string; readonly specHash: string }): string {
  return `${name}_${specHash}`;
}

/** Until when a container that ended at `finishedAtMs` has to wait; undefined when it need not. */
export function waitUntilMs(
  backOff: BackOff | undefined,
  finishedAtMs: number,
  nowMs: number,
): number | undefined {
  if (backOff === undefined || isOver(backOff, finishedAtMs)) return undefined;
  const untilMs = finishedAtMs + backOff.delayMs;
  return nowMs < untilMs ? untilMs : undefined;
}

/** The back-off that a start at `nowMs` sets, after an end at `finishedAtMs`. */
export function nextBackOff(backOff: BackOff | undefined, finishedAtMs: number, nowMs: number): BackOff {
  const isFirst = backOff === undefined || isOver(backOff, finishedAtMs);
  const delayMs = isFirst ? firstDelayMs : Math.min(maxDelayMs, 2 * backOff.delayMs);
  return { delayMs, setAtMs: nowMs };
}

function isOver({ setAtMs }: BackOff, finishedAtMs: number): boolean {
  return finishedAtMs - setAtMs > resetAfterMs;
}
