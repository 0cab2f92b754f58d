import type { RandomSource } from '../../../../support/random-source.ts';

/** What befalls one call. */
export interface Fault {
  /** Until it is carried out. */
  readonly latencyMs: number;
  /** Until its answer, which may be old by then, has arrived. */
  readonly answerMs: number;
  /** Undefined: nothing, beside the time that it takes. */
  readonly failure?: {
    readonly code: 'failed' | 'timeout' | 'unavailable';
    /** Whether it is carried out nevertheless, and when. */
    readonly effect: 'never' | 'now' | 'later';
    readonly laterMs: number;
    /** From the call to its failure. */
    readonly noticedMs: number;
  };
}

/** Draws what befalls calls, as bad as a test wants it. */
export class Faults {
  readonly #random: RandomSource;
  /** Calls in a hundred that fail. */
  failurePercent = 0;
  /** Calls in a hundred that take seconds. */
  slowPercent = 0;
  /** Whether what failed may be carried out long after. */
  hasLateEffects = false;
  /** Nothing answers. */
  isAway = false;

  constructor(random: RandomSource) {
    this.#random = random;
  }

  draw(): Fault {
    const random = this.#random;
    const isSlow = random.below(100) < this.slowPercent;
    const latencyMs = isSlow ? 500 + random.below(8000) : random.below(30);
    if (this.isAway) {
      return {
        latencyMs: 1,
        answerMs: 0,
        failure: { code: 'unavailable', effect: 'never', laterMs: 0, noticedMs: 0 },
      };
    }
    const answerMs = random.below(1 + (isSlow ? 2000 : latencyMs));
    if (random.below(100) >= this.failurePercent) return { latencyMs, answerMs };
    const code = random.pick(['failed', 'failed', 'timeout', 'unavailable'] as const);
    const effects = this.hasLateEffects ? (['never', 'now', 'later'] as const) : (['never', 'now'] as const);
    return {
      latencyMs,
      answerMs,
      failure: {
        code,
        effect: code === 'failed' ? 'never' : random.pick(effects),
        laterMs: 1000 + random.below(30_000),
        noticedMs: code === 'timeout' ? random.pick([2000, 20_000, 120_000]) : 0,
      },
    };
  }

  /** One of so many. */
  below(limit: number): number {
    return this.#random.below(limit);
  }
}
