import { type Clock, Fifo, TokenBucket, type TokenBucketOptions } from '../../base/index.ts';
import type { PendingEvent } from './audit-event.ts';
import type { AuditBackend, AuditSink } from './audit-sink.ts';
import type { LossLog } from './loss-log.ts';

/** How events are gathered, and where they go. */
export interface BatchSinkOptions {
  readonly backend: AuditBackend;
  readonly losses: LossLog;
  readonly clock: Clock;
  /** Events that may wait; further ones are lost. */
  readonly bufferSize: number;
  /** Events of one batch at most. */
  readonly maxSize: number;
  /** A batch that is not full goes out after this time. */
  readonly maxWaitMs: number;
  /** How often batches go out; as often as need be when left out. */
  readonly throttle?: TokenBucketOptions | undefined;
  /** Batches under way at the same time. */
  readonly concurrency: number;
  /** What waiting events may hold together. */
  readonly maxBytes?: number;
}

const defaultMaxBytes = 32 * 1024 * 1024;

/**
 * Gathers events and delivers them in batches (mode `batch`); requests only add a text. When that is too slow, or
 * fails, events are lost and counted: no request waits for it.
 */
export class BatchSink implements AuditSink {
  readonly isAwaited = false;
  readonly #options: BatchSinkOptions;
  readonly #throttle: TokenBucket | undefined;
  readonly #maxBytes: number;
  readonly #waiting = new Fifo<string>();
  readonly #deliveries = new Set<Promise<void>>();
  #waitingBytes = 0;
  #cancelTimer: (() => void) | undefined;
  #isThrottled = false;
  #isClosing = false;

  constructor(options: BatchSinkOptions) {
    const { throttle, clock, maxBytes = defaultMaxBytes } = options;
    this.#options = options;
    this.#maxBytes = maxBytes;
    if (throttle !== undefined) this.#throttle = new TokenBucket(throttle, clock.nowMs());
  }

  record(event: PendingEvent): undefined {
    const { backend, losses, bufferSize, clock, maxWaitMs, maxSize } = this.#options;
    const hasRoom = this.#waiting.length < bufferSize;
    const text = hasRoom ? backend.encode(event) : undefined;
    if (hasRoom && text === undefined) return;
    if (text === undefined || this.#waitingBytes + text.length > this.#maxBytes) {
      losses.add(1, 'the backend does not keep up');
      return;
    }
    this.#waiting.push(text);
    this.#waitingBytes += text.length;
    if (this.#waiting.length === maxSize) this.#deliver();
    else this.#cancelTimer ??= clock.setTimer(maxWaitMs, () => this.#deliver());
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#waiting.length > 0 || this.#deliveries.size > 0) {
      this.#deliver();
      await Promise.all(this.#deliveries);
    }
  }

  /** Sends batches as long as there are some, and they may go out. */
  #deliver(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    while (this.#waiting.length > 0 && this.#deliveries.size < this.#options.concurrency) {
      if (!this.#isClosing && this.#isHeldBack()) return;
      const batch = this.#takeBatch();
      const delivery = this.#options.backend
        .deliver(batch)
        .catch((error: unknown) => this.#options.losses.add(batch.length, error))
        .then(() => {
          this.#deliveries.delete(delivery);
          this.#deliver();
        });
      this.#deliveries.add(delivery);
    }
  }

  #isHeldBack(): boolean {
    const { clock } = this.#options;
    if (this.#isThrottled) return true;
    if (this.#throttle === undefined || this.#throttle.tryTake(clock.nowMs())) return false;
    this.#isThrottled = true;
    clock.setTimer(this.#throttle.delayMs, () => {
      this.#isThrottled = false;
      this.#deliver();
    });
    return true;
  }

  #takeBatch(): string[] {
    const batch: string[] = [];
    for (let text = this.#waiting.at(0); text !== undefined; text = this.#waiting.at(batch.length)) {
      batch.push(text);
      this.#waitingBytes -= text.length;
      if (batch.length === this.#options.maxSize) break;
    }
    this.#waiting.drop(batch.length);
    return batch;
  }
}
