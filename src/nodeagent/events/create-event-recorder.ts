import type { ObjectReference } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause, TokenBucket } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import { type CorrelatedEvent, EventCorrelator } from './event-correlator.ts';
import type { AgentEvent, EventRecorder, EventSubject } from './event-recorder.ts';
import { type EventWriterOptions, writeEvent } from './event-writer.ts';

/** What events are written with. */
export interface EventRecorderOptions {
  /** Undefined: events are only logged. */
  readonly client: RestClient | undefined;
  readonly config: Pick<AgentConfig, 'eventQps' | 'eventBurst'>;
  readonly nodeName: string;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends the writing; what is queued then is dropped. */
  readonly signal: AbortSignal;
}

/** A recorder whose queue can be waited for. */
export interface QueuedEventRecorder extends EventRecorder {
  /** Resolves when everything recorded so far was written or given up. */
  whenIdle(): Promise<void>;
}

/** Events that wait at most; the newest are dropped beyond. */
const maxQueued = 1000;

/** Writes events to the API server, in order and one at a time, repeats as a count. */
export function createEventRecorder(options: EventRecorderOptions): QueuedEventRecorder {
  return new Recorder(options);
}

class Recorder implements QueuedEventRecorder {
  readonly #options: EventRecorderOptions;
  readonly #writer: EventWriterOptions | undefined;
  readonly #correlator = new EventCorrelator();
  readonly #bucket: TokenBucket | undefined;
  readonly #queue: CorrelatedEvent[] = [];
  #lastStamp = 0n;
  #writing: Promise<void> | undefined;
  #isFull = false;

  constructor(options: EventRecorderOptions) {
    const { client, config, nodeName, dialect, clock, logger, signal } = options;
    this.#options = options;
    if (client === undefined) return;
    const origin = { component: dialect.spell('nodeagent'), host: nodeName };
    this.#writer = { client, origin, clock, logger, signal };
    const limits = { perSecond: config.eventQps, burst: Math.max(1, config.eventBurst) };
    this.#bucket = config.eventQps > 0 ? new TokenBucket(limits, clock.nowMs()) : undefined;
  }

  record({ about, type, reason, message }: AgentEvent): void {
    const { nodeName, clock, logger, signal } = this.#options;
    const involved = involvedObject(about, nodeName);
    logger.debug('event', { object: `${involved.namespace ?? ''}/${involved.name}`, type, reason, message });
    if (this.#writer === undefined || signal.aborted) return;
    const atMs = clock.nowMs();
    const name = `${involved.name}.${this.#stamp(atMs)}`;
    const event = this.#correlator.correlate({ name, involved, type, reason, message, atMs });
    if (event !== undefined) this.#enqueue(event);
  }

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
      if (this.#writer === undefined || !(await this.#waitForTurn())) break;
      await writeEvent(event, this.#writer);
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

/**
 * How an event names what it is about. The node's own uid is its name, as clients that look for the node's events expect
 * it of an agent.
 */
function involvedObject(about: EventSubject, nodeName: string): ObjectReference {
  if (about.kind === 'node') return { kind: 'Node', name: nodeName, uid: nodeName };
  const { namespace, name, uid, resourceVersion } = about.pod.metadata;
  return {
    kind: 'Pod',
    ...optional('namespace', namespace),
    ...optional('name', name),
    ...optional('uid', uid),
    apiVersion: 'v1',
    ...optional('resourceVersion', resourceVersion),
    ...optional('fieldPath', about.fieldPath),
  };
}

const optional = <K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> =>
  // The one key that is set is K.
  value ? ({ [key]: value } as Partial<Record<K, string>>) : {};
