import type { EvictionAmount } from '../options/index.ts';

/**
 * What a threshold means on a machine with this capacity. Shares are 32-bit floats, as in release 1.20: 10 % of
 * 270553174016 is 27055317804.
 */
export function thresholdAmount(below: EvictionAmount, capacity: number): number {
  if ('amount' in below) return below.amount;
  return Math.trunc(capacity * Math.fround(Math.fround(below.percent) / 100));
}
