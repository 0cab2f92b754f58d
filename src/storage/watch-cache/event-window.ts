import { Fifo } from '../../base/index.ts';
import type { Change } from './change.ts';
import type { ChangeLog } from './change-log.ts';

/** How much recent history stays in memory. Older history is read from the store. */
export interface EventWindowLimits {
  /** Memory that the events hold beside the current objects. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** Limits that suit one server: 32 MiB, five minutes. */
export const defaultEventWindow: EventWindowLimits = { maxBytes: 32 * 1024 * 1024, maxAgeMs: 300_000 };

interface WindowEntry {
  readonly change: Change;
  readonly log: ChangeLog;
  readonly timeMs: number;
}

/** Decides, across all resources, which changes stay in their logs: the newest within the limits. */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  readonly #entries = new Fifo<WindowEntry>();
  #bytes = 0;
  #start: number;

  /** @param start revision that the window begins after. */
  constructor(limits: EventWindowLimits, start: number) {
    this.#limits = limits;
    this.#start = start;
  }

  /** Every change after this revision is in the log of its resource. */
  get start(): number {
    return this.#start;
  }

  add(entry: WindowEntry): void {
    entry.log.push(entry.change);
    this.#entries.push(entry);
    this.#bytes += entry.change.retainedBytes;
    const oldestMs = entry.timeMs - this.#limits.maxAgeMs;
    for (let oldest = this.#entries.at(0); oldest !== undefined; oldest = this.#entries.at(0)) {
      if (this.#bytes <= this.#limits.maxBytes && oldest.timeMs >= oldestMs) break;
      this.#evict(oldest);
    }
  }

  #evict({ change, log }: WindowEntry): void {
    this.#entries.drop(1);
    log.dropOldest();
    this.#bytes -= change.retainedBytes;
    this.#start = change.revision;
  }
}
