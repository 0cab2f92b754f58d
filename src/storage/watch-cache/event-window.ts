import type { Change } from './change.ts';
import type { ChangeLog } from './change-log.ts';

/** How much recent history stays in memory. Older history is read from the store. */
export interface EventWindowLimits {
  /** Memory that the events hold beside the current objects, of all resources together. */
  readonly maxBytes: number;
  /** Changes that are older go, within a tenth of it, while others come. */
  readonly maxAgeMs: number;
  /**
   * As many of the last changes of each resource stay however old they are: the store may have forgotten them, and
   * watches of what rarely changes go on from there.
   */
  readonly minChanges: number;
}

/** Limits that suit one server: 32 MiB, five minutes, a thousand changes. */
export const defaultEventWindow: EventWindowLimits = {
  maxBytes: 32 * 1024 * 1024,
  maxAgeMs: 300_000,
  minChanges: 1000,
};

const sweepsPerAge = 10;
/** Part of the bytes that is let go beyond what is needed: who looks for the largest log does so now and then. */
const spareShare = 1 / 64;

interface WindowEntry {
  readonly change: Change;
  readonly log: ChangeLog;
  readonly timeMs: number;
}

/**
 * Decides which changes stay in the logs of their resources. Where bytes are short the largest log loses its oldest
 * changes, so that a busy resource takes nothing from a quiet one.
 */
export class EventWindow {
  readonly #limits: EventWindowLimits;
  /** Those that hold changes, or did. */
  readonly #logs = new Set<ChangeLog>();
  #bytes = 0;
  #sweptAtMs = -Infinity;

  constructor(limits: EventWindowLimits) {
    this.#limits = limits;
  }

  add({ change, log, timeMs }: WindowEntry): void {
    const { maxBytes, maxAgeMs } = this.#limits;
    log.push(change, timeMs);
    this.#logs.add(log);
    this.#bytes += change.retainedBytes;
    if (timeMs >= this.#sweptAtMs + maxAgeMs / sweepsPerAge) this.#sweep(timeMs);
    if (this.#bytes > maxBytes) this.#shrinkTo(maxBytes * (1 - spareShare));
  }

  #sweep(nowMs: number): void {
    const { maxAgeMs, minChanges } = this.#limits;
    this.#sweptAtMs = nowMs;
    for (const log of this.#logs) {
      while (log.length > minChanges && log.oldestMs < nowMs - maxAgeMs) this.#bytes -= log.dropOldest();
    }
  }

  #shrinkTo(bytes: number): void {
    while (this.#bytes > bytes) {
      let largest: ChangeLog | undefined;
      for (const log of this.#logs) if (log.bytes > (largest?.bytes ?? 0)) largest = log;
      if (largest === undefined) return;
      while (this.#bytes > bytes && largest.length > 0) this.#bytes -= largest.dropOldest();
    }
  }
}
