import type { Clock, Logger } from '../../base/index.ts';
import { type EventContext, formatEvent, type PendingEvent } from './audit-event.ts';

/** Takes lines of the log, in order, one call at a time. */
export type AppendLines = (lines: string) => Promise<void>;

/** Where events go, and how much may wait on the way: by default 10 000 events or 32 MiB of them. */
export interface AuditLogOptions {
  readonly append: AppendLines;
  readonly context: EventContext;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told how many events were lost. */
  readonly onLost?: ((count: number) => void) | undefined;
  /** Events that may wait; further ones are lost. */
  readonly maxEvents?: number;
  /** What waiting events may hold together. */
  readonly maxBytes?: number;
}

/** How long events wait for others, so that many are written at once. */
const gatherMs = 50;
/** Events that are serialized in one turn of the event loop: some milliseconds at most. */
const maxBatch = 200;
/** Text that is made without a pause. */
const maxBatchBytes = 1024 * 1024;
/** Losses are logged at most this often. */
const complainEveryMs = 60_000;

interface Waiting {
  readonly event: PendingEvent;
  readonly sizeBytes: number;
}

/**
 * Buffers events and writes them in batches; requests only add a record. When the log is too slow, or cannot be
 * written, events are dropped and counted: no request waits for it.
 */
export class AuditLog {
  readonly #options: AuditLogOptions;
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #draining: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #lost = 0;
  #complainedAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: AuditLogOptions) {
    this.#options = options;
    this.#maxEvents = options.maxEvents ?? 10_000;
    this.#maxBytes = options.maxBytes ?? 32 * 1024 * 1024;
  }

  /** Leaves an event to be written soon. */
  add(event: PendingEvent): void {
    const { sizeBytes } = event.record;
    if (this.#waiting.length >= this.#maxEvents || this.#waitingBytes + sizeBytes > this.#maxBytes) {
      this.#lose(1, 'the log does not keep up');
      return;
    }
    this.#waiting.push({ event, sizeBytes });
    this.#waitingBytes += sizeBytes;
    if (this.#draining === undefined && this.#cancelTimer === undefined) {
      this.#cancelTimer = this.#options.clock.setTimer(gatherMs, () => void this.flush());
    }
  }

  /** Writes all buffered events; resolves when they are written or dropped. */
  flush(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#draining ??= this.#drain().finally(() => {
      this.#draining = undefined;
    });
    return this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      const { lines, count } = this.#takeBatch();
      try {
        await this.#options.append(lines);
      } catch (error) {
        this.#lose(count, error);
      }
      await new Promise(setImmediate);
    }
  }

  #takeBatch(): { readonly lines: string; readonly count: number } {
    let lines = '';
    let count = 0;
    for (const { event, sizeBytes } of this.#waiting) {
      lines += formatEvent(event, this.#options.context);
      this.#waitingBytes -= sizeBytes;
      count++;
      if (count === maxBatch || lines.length > maxBatchBytes) break;
    }
    this.#waiting = this.#waiting.slice(count);
    return { lines, count };
  }

  #lose(count: number, error: unknown): void {
    const { clock, logger, onLost } = this.#options;
    onLost?.(count);
    this.#lost += count;
    const nowMs = clock.nowMs();
    if (nowMs - this.#complainedAtMs < complainEveryMs) return;
    this.#complainedAtMs = nowMs;
    logger.error('audit events dropped', { count: this.#lost, error });
    this.#lost = 0;
  }
}
