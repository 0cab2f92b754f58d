import type { Clock } from '../../base/index.ts';

/** A watch that told nothing for so long will not tell any more. Source: release 1.20, `ExpectationsTimeout`. */
const timeoutMs = 5 * 60_000;

interface Expected {
  creations: number;
  readonly deletions: Set<string>;
  readonly untilMs: number;
}

/**
 * What a controller has written and not yet seen in its informers. Until it has seen all of it, it must not decide again, or it would
 * create and delete what it just did. Keys are those of the owners; pods to be deleted go by uid.
 */
export class Expectations {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #expected = new Map<string, Expected>();

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
  }

  /** Before the writes, since their events may come first. Takes the place of what was expected before. */
  expect(key: string, { creations = 0, deletions = [] }: ExpectedWrites): void {
    const untilMs = this.#clock.nowMs() + timeoutMs;
    this.#expected.set(key, { creations, deletions: new Set(deletions), untilMs });
  }

  /** An object of the owner was seen to appear; or will not, because its creation failed. */
  creationObserved(key: string, count = 1): void {
    const expected = this.#expected.get(key);
    if (expected !== undefined) expected.creations -= count;
  }

  /** An object of the owner was seen to go; or stays, because its deletion failed. */
  deletionObserved(key: string, uid: string): void {
    this.#expected.get(key)?.deletions.delete(uid);
  }

  /** Whether the informers show all that was written, or never will. */
  isFulfilled(key: string): boolean {
    const expected = this.#expected.get(key);
    if (expected === undefined) return true;
    if (expected.creations > 0 || expected.deletions.size > 0) return expected.untilMs <= this.#clock.nowMs();
    return true;
  }

  /** The owner is gone. */
  forget(key: string): void {
    this.#expected.delete(key);
  }
}

interface ExpectedWrites {
  readonly creations?: number | undefined;
  /** Uids. */
  readonly deletions?: readonly string[] | undefined;
}
