import { type Clock, Fifo, TokenBucket, type TokenBucketOptions } from '../../base/index.ts';
import type { PendingEvent } from './audit-event.ts';
import type { AuditBackend, AuditSink } from './audit-sink.ts';
import type { EventBatch } from './event-batch.ts';
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
  /** What the texts of one batch hold at most, in UTF-16 units, unless a single one is longer. */
  readonly maxBatchLength?: number | undefined;
  /** A batch that is not full goes out after this time. */
  readonly maxWaitMs: number;
  /** How often batches go out; as often as need be when left out. */
  readonly throttle?: TokenBucketOptions | undefined;
  /** Batches under way at the same time. */
  readonly concurrency: number;
  /** What waiting events may hold together, in UTF-16 units. */
  readonly maxLength?: number;
}

const defaultMaxLength = 32 * 1024 * 1024;

/** A batch that is filled, or waits to be sent. */
interface Waiting {
  readonly batch: EventBatch;
  count: number;
  length: number;
  /** Nothing is added any more. */
  isFull: boolean;
}

/**
 * Gathers events and delivers them in batches (mode `batch`); requests only add a text. When that is too slow, or
 * fails, events are lost and counted: no request waits for it.
 */
export class BatchSink implements AuditSink {
  readonly isAwaited = false;
  readonly #options: BatchSinkOptions;
  readonly #throttle: TokenBucket | undefined;
  readonly #waiting = new Fifo<Waiting>();
  readonly #deliveries = new Set<Promise<void>>();
  #waitingCount = 0;
  #waitingLength = 0;
  #cancelTimer: (() => void) | undefined;
  /** The last batch has waited long enough. */
  #isDue = false;
  #isThrottled = false;
  #isClosing = false;

  constructor(options: BatchSinkOptions) {
    const { throttle, clock } = options;
    this.#options = options;
    if (throttle !== undefined) this.#throttle = new TokenBucket(throttle, clock.nowMs());
  }

  record(event: PendingEvent): undefined {
    const { backend, losses, bufferSize, maxLength = defaultMaxLength } = this.#options;
    const hasRoom = this.#waitingCount < bufferSize;
    const text = hasRoom ? backend.encode(event) : undefined;
    if (hasRoom && text === undefined) return;
    if (text === undefined || this.#waitingLength + text.length > maxLength) {
      losses.add(1, 'the backend does not keep up');
      return;
    }
    this.#add(text);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    while (this.#waiting.length > 0 || this.#deliveries.size > 0) {
      this.#deliverAll();
      await Promise.all(this.#deliveries);
    }
  }

  /** To the batch that is filled, or to a new one; a full one goes out. */
  #add(text: string): void {
    const { maxSize, clock, maxWaitMs } = this.#options;
    const last = this.#batchFor(text);
    last.batch.add(text);
    last.count++;
    last.length += text.length;
    last.isFull = last.count >= maxSize;
    this.#waitingCount++;
    this.#waitingLength += text.length;
    if (last.isFull) this.#deliver();
    else if (!this.#isDue) this.#cancelTimer ??= clock.setTimer(maxWaitMs, () => this.#deliverAll());
  }

  #batchFor(text: string): Waiting {
    const { backend, maxBatchLength = Number.POSITIVE_INFINITY } = this.#options;
    const { length } = this.#waiting;
    const last = length === 0 ? undefined : this.#waiting.at(length - 1);
    if (last !== undefined && !last.isFull) {
      if (last.length + text.length <= maxBatchLength) return last;
      last.isFull = true;
      this.#deliver();
    }
    const next = { batch: backend.startBatch(), count: 0, length: 0, isFull: false };
    this.#waiting.push(next);
    return next;
  }

  #deliverAll(): void {
    this.#isDue = true;
    this.#deliver();
  }

  /** Sends batches as long as there are some, and they may go out. One that is not full waits for its time. */
  #deliver(): void {
    for (let next = this.#waiting.at(0); next !== undefined; next = this.#waiting.at(0)) {
      if (!next.isFull && !this.#isDue) return;
      if (this.#deliveries.size >= this.#options.concurrency) return;
      if (!this.#isClosing && this.#isHeldBack()) return;
      this.#waiting.drop(1);
      this.#waitingCount -= next.count;
      this.#waitingLength -= next.length;
      this.#send(next);
    }
    this.#isDue = false;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #send({ batch, count }: Waiting): void {
    const delivery = batch
      .deliver()
      .catch((error: unknown) => this.#options.losses.add(count, error))
      .then(() => {
        this.#deliveries.delete(delivery);
        this.#deliver();
      });
    this.#deliveries.add(delivery);
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
}
