import type { ObjectReference } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause, TokenBucket, type TokenBucketOptions } from '../../base/index.ts';
import type { RestClient } from '../rest/index.ts';
import { type CorrelatedEvent, EventCorrelator } from './event-correlator.ts';
import { type EventOrigin, writeEvent } from './event-writer.ts';

/** What events are written with. */
export interface EventQueueOptions {
  readonly client: RestClient;
  readonly origin: EventOrigin;
  /** How often events are written at most. Undefined: as fast as they can be. */
  readonly limits?: TokenBucketOptions | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the writing; what is queued then is dropped. */
  readonly signal: AbortSignal;
}

/** Something that operators should see beside the object that it is about. */
export interface QueuedEvent {
  readonly involved: ObjectReference;
  readonly type: 'Normal' | 'Warning';
  /** One word, such as `Started`. */
  readonly reason: string;
  readonly message: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
}

/** Events that wait at most; the newest are dropped beyond. */
const maxQueued = 1000;

/** Writes events to the API server, in order and one at a time, repeats as a count. Never blocks and never fails. */
export class EventQueue {
  readonly #options: EventQueueOptions;
  readonly #correlator = new EventCorrelator();
  readonly #bucket: TokenBucket | undefined;
  readonly #queue: CorrelatedEvent[] = [];
  #lastStamp = 0n;
  #writing: Promise<void> | undefined;
  #isFull = false;

  constructor(options: EventQueueOptions) {
    const { limits, clock } = options;
    this.#options = options;
    this.#bucket = limits === undefined ? undefined : new TokenBucket(limits, clock.nowMs());
  }

  add({ involved, type, reason, message, annotations }: QueuedEvent): void {
    const { clock, signal } = this.#options;
    if (signal.aborted) return;
    const atMs = clock.nowMs();
    const name = `${involved.name}.${this.#stamp(atMs)}`;
    const event = this.#correlator.correlate({ name, involved, type, reason, message, annotations, atMs });
    if (event !== undefined) this.#enqueue(event);
  }

  /** Resolves when everything added so far was written or given up. */
  async whenIdle(): Promise<void> {
    await this.#writing;
  }

  /** Nanoseconds in hex, never the same twice. */
  #stamp(atMs: number): string {
    const now = BigInt(Math.floor(atMs)) * 1_000_000n;
    this.#lastStamp = now > this.#lastStamp ? now : this.#lastStamp + 1n;
    return this.#lastStamp.toString(16);
  }

  #enqueue(event: CorrelatedEvent): void {
    const isFull = this.#queue.length >= maxQueued;
    if (isFull && !this.#isFull) {
      this.#options.logger.error('event dropped: queue full', { queued: maxQueued });
    }
    this.#isFull = isFull;
    if (isFull) return;
    this.#queue.push(event);
    this.#writing ??= this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    await null; // `#writing` must be set before it can be unset.
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      if (!(await this.#waitForTurn())) break;
      await writeEvent(event, this.#options);
    }
    this.#writing = undefined;
  }

  /** False when the writing has ended. */
  async #waitForTurn(): Promise<boolean> {
    const { clock, signal } = this.#options;
    while (this.#bucket !== undefined && !this.#bucket.tryTake(clock.nowMs())) {
      if (!(await pause(clock, this.#bucket.delayMs, signal))) return false;
    }
    return !signal.aborted;
  }
}
