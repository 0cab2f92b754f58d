import { thresholdAmount } from '../node/index.ts';
import type { EvictionThreshold } from '../options/index.ts';
import { type Observations, type Pressure, signalMeanings } from './signals.ts';

/** What is remembered from one synchronization to the next. */
export interface ThresholdState {
  /** Thresholds for which pods must be evicted; each stays active until its minimum was reclaimed. */
  readonly active: ReadonlySet<EvictionThreshold>;
  /** Time since which each threshold is met without interruption, in milliseconds since the Unix epoch. */
  readonly metSinceMs: ReadonlyMap<EvictionThreshold, number>;
  /** When each kind of pressure was seen last. */
  readonly seenAtMs: ReadonlyMap<Pressure, number>;
  /** Pressure in the node's conditions: present, or observed within the transition period. */
  readonly pressure: ReadonlySet<Pressure>;
}

/** The state before the first synchronization. */
export const initialThresholdState: ThresholdState = {
  active: new Set(),
  metSinceMs: new Map(),
  seenAtMs: new Map(),
  pressure: new Set(),
};

/** One set of observations to compare with the thresholds at `nowMs`. */
export interface ThresholdInputs {
  readonly thresholds: readonly EvictionThreshold[];
  readonly observations: Observations;
  /** How long pressure is shown after it was seen last. */
  readonly transitionPeriodMs: number;
  readonly nowMs: number;
}

/** The state after a synchronization: which thresholds pods must be evicted for, and what the node shows. */
export function nextThresholdState(state: ThresholdState, inputs: ThresholdInputs): ThresholdState {
  const { thresholds, observations, transitionPeriodMs, nowMs } = inputs;
  const met = thresholds.filter(
    (one) =>
      isThresholdMet(one, observations) ||
      (state.active.has(one) && isThresholdMet(one, observations, { withReclaim: true })),
  );
  const metSinceMs = new Map(met.map((one) => [one, state.metSinceMs.get(one) ?? nowMs]));
  const seenAtMs = new Map(state.seenAtMs);
  for (const { signal } of met) seenAtMs.set(signalMeanings[signal].pressure, nowMs);
  const shown = [...seenAtMs].filter(([, atMs]) => atMs === nowMs || nowMs - atMs < transitionPeriodMs);
  const active = met.filter((one) => nowMs - (metSinceMs.get(one) ?? nowMs) >= one.gracePeriodMs);
  return {
    active: new Set(active),
    metSinceMs,
    seenAtMs,
    pressure: new Set(shown.map(([pressure]) => pressure)),
  };
}

/** Whether less than the threshold is left; with `withReclaim`, less than it and its minimum reclaim. */
export function isThresholdMet(
  { signal, below, minimumReclaim }: EvictionThreshold,
  observations: Observations,
  { withReclaim = false }: { readonly withReclaim?: boolean } = {},
): boolean {
  const observed = observations.get(signal);
  if (observed === undefined) return false;
  const { available, capacity } = observed;
  const extra = withReclaim && minimumReclaim !== undefined ? thresholdAmount(minimumReclaim, capacity) : 0;
  return available < thresholdAmount(below, capacity) + extra;
}
