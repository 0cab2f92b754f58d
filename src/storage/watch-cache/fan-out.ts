import { Fifo, type Slice, type TimeSlices } from '../../base/index.ts';
import type { Change } from './change.ts';
import type { LiveWatcher, WatcherIndex } from './watcher-index.ts';

/** Changes that may wait for their delivery. With more of them, those who write wait instead. */
const maxWaiting = 256;
/** Watchers that are notified between two reads of the clock: fewer than a server has as a rule. */
const stepsPerCheck = 64;

interface Delivery {
  readonly change: Change;
  readonly watchers: WatcherIndex;
}

/**
 * Tells live watchers of changes: each watcher of one change after the other, in the order in which they were added. It
 * is done at once while that is quick, else with rests.
 */
export class FanOut {
  readonly #slice: Slice;
  readonly #waiting = new Fifo<Delivery>();
  /** Those who are still to be told of the oldest change. */
  #targets: Iterator<LiveWatcher> | undefined;
  /** Whether deliveries go on by themselves: one that causes a change, or a later turn. */
  #isUnderWay = false;

  constructor(slices: TimeSlices) {
    this.#slice = slices.begin(stepsPerCheck);
  }

  /** Revision of the oldest change that some watcher may not know yet; undefined when there is none. */
  get oldestRevision(): number | undefined {
    return this.#waiting.at(0)?.change.revision;
  }

  add(delivery: Delivery): void {
    this.#waiting.push(delivery);
    if (!this.#isUnderWay) this.#run();
    else if (this.#waiting.length > maxWaiting) this.#deliverOldest(undefined);
  }

  /** Forgets what was not delivered: the watchers have ended. */
  clear(): void {
    this.#waiting.clear();
    this.#targets = undefined;
  }

  #run(): void {
    this.#isUnderWay = true;
    while (this.#waiting.length > 0) {
      if (this.#deliverOldest(this.#slice)) continue;
      void this.#slice.rest().then(() => this.#run());
      return;
    }
    this.#isUnderWay = false;
  }

  /** True when all were told, false when the slice is spent. */
  #deliverOldest(slice: Slice | undefined): boolean {
    const oldest = this.#waiting.at(0);
    if (oldest === undefined) return true;
    const { change, watchers } = oldest;
    this.#targets ??= watchers.concernedBy(change);
    const targets = this.#targets;
    for (let next = targets.next(); next.done !== true; next = targets.next()) {
      next.value.receive(change);
      if (slice?.isSpent() === true) return false;
    }
    if (this.#waiting.at(0) !== oldest) return true; // cleared meanwhile
    this.#targets = undefined;
    this.#waiting.drop(1);
    // Watchers have their frames; kept, these would hold more memory than the objects.
    change.forgetEvents();
    return true;
  }
}
