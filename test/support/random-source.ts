/** Numbers that look random and are the same for the same seed. */
export interface RandomSource {
  /** An integer from 0 up to and without `limit`. */
  below(limit: number): number;
  /** One of the values. @throws RangeError when there is none */
  pick<T>(values: readonly T[]): T;
}

/** A generator of the mulberry32 family. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick(values) {
      if (values.length === 0) throw new RangeError('there is nothing to pick from');
      // The index is within the bounds.
      return values[below(values.length)] as (typeof values)[number];
    },
  };
}
