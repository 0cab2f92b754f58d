import { createTimeSlices, type TimeSlices } from '../../../../src/base/index.ts';
import { settle } from './watch-log.ts';

/** Slices whose clock moves by hand; they are due after so many looks at it, and go on when the test says so. */
export class HandTurned {
  #looks = 0;
  #deferred: (() => void)[] = [];
  readonly slices: TimeSlices;

  constructor(looksPerRound: number) {
    this.slices = createTimeSlices({
      sliceMs: looksPerRound,
      nowMs: () => this.#looks++,
      defer: (callback) => void this.#deferred.push(callback),
    });
  }

  /** The next round of the event loop; false when nothing waits for one. */
  async turn(): Promise<boolean> {
    const due = this.#deferred.splice(0);
    for (const callback of due) callback();
    await settle();
    return due.length > 0;
  }
}
