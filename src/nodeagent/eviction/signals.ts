import type { EvictionSignal, EvictionThreshold } from '../options/index.ts';

/** Value of one signal: what is available of what capacity, in bytes, inodes or processes. */
export interface Observation {
  readonly available: number;
  readonly capacity: number;
  /** Of memory: what is used, with what the kernel can take back at once. */
  readonly usage?: number;
}

/** What is known of the signals; a signal that cannot be read is left out. */
export type Observations = ReadonlyMap<EvictionSignal, Observation>;

/** Conditions of the node that signals stand for. */
export type Pressure = 'memory' | 'disk' | 'pid';

interface SignalMeaning {
  readonly pressure: Pressure;
  /** Resource that messages name. */
  readonly resource: string;
}

const memory: SignalMeaning = { pressure: 'memory', resource: 'memory' };
const space: SignalMeaning = { pressure: 'disk', resource: 'ephemeral-storage' };
const inodes: SignalMeaning = { pressure: 'disk', resource: 'inodes' };

/** What a signal is about. */
export const signalMeanings: Readonly<Record<EvictionSignal, SignalMeaning>> = {
  'memory.available': memory,
  'allocatableMemory.available': memory,
  'nodefs.available': space,
  'imagefs.available': space,
  'nodefs.inodesFree': inodes,
  'imagefs.inodesFree': inodes,
  'pid.available': { pressure: 'pid', resource: 'pids' },
};

/** Thresholds in the order in which they are handled: those of memory first. */
export function byUrgency(thresholds: readonly EvictionThreshold[]): EvictionThreshold[] {
  const rank = ({ signal }: EvictionThreshold): number => (signalMeanings[signal] === memory ? 0 : 1);
  return thresholds.toSorted((a, b) => rank(a) - rank(b));
}
