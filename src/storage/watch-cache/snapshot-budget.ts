import type { Clock } from '../../base/index.ts';

/** How long states that paged lists still read stay in memory, and how much memory they may keep in use. */
export interface SnapshotLimits {
  /** Memory of object versions that nothing but snapshots needs, of all resources together. An estimate. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** Limits that suit one server: 64 MiB, five minutes. */
export const defaultSnapshotLimits: SnapshotLimits = { maxBytes: 64 * 1024 * 1024, maxAgeMs: 300_000 };

/** The snapshots of one resource as the budget sees them. */
export interface SnapshotHolder {
  /** When the oldest snapshot was made; undefined when there is none. */
  readonly oldestMs: number | undefined;
  dropOldest(): void;
  /** Drops what was made at `timeMs` or before. */
  dropUntil(timeMs: number): void;
}

/** Keeps the snapshots of all resources within their limits: the oldest go first. */
export class SnapshotBudget {
  readonly #limits: SnapshotLimits;
  readonly #clock: Clock;
  readonly #holders = new Set<SnapshotHolder>();
  #bytes = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock, limits: SnapshotLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Estimated memory that snapshots hold. */
  get bytes(): number {
    return this.#bytes;
  }

  nowMs(): number {
    return this.#clock.nowMs();
  }

  /** Whether a snapshot of that time is still to be used. */
  isFresh(timeMs: number): boolean {
    return timeMs > this.#clock.nowMs() - this.#limits.maxAgeMs;
  }

  /** A holder made its first snapshot. */
  enter(holder: SnapshotHolder): void {
    this.#holders.add(holder);
    this.#armTimer();
  }

  /** A holder has no snapshot any more. */
  leave(holder: SnapshotHolder): void {
    this.#holders.delete(holder);
    if (this.#holders.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  /** Snapshots hold so many bytes more, or less. */
  change(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#limits.maxBytes && this.#holders.size > 0) this.#oldestHolder()?.dropOldest();
  }

  #oldestHolder(): SnapshotHolder | undefined {
    let oldest: SnapshotHolder | undefined;
    for (const holder of this.#holders) {
      if (oldest === undefined || (holder.oldestMs ?? Infinity) < (oldest.oldestMs ?? Infinity))
        oldest = holder;
    }
    return oldest;
  }

  #armTimer(): void {
    if (this.#cancelTimer !== undefined || this.#holders.size === 0) return;
    const { maxAgeMs } = this.#limits;
    this.#cancelTimer = this.#clock.setTimer(maxAgeMs, () => {
      this.#cancelTimer = undefined;
      const untilMs = this.#clock.nowMs() - maxAgeMs;
      for (const holder of [...this.#holders]) holder.dropUntil(untilMs);
      this.#armTimer();
    });
  }
}
