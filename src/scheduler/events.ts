import type { ObjectReference, Pod } from '../apis/types/core-v1.ts';
import { type Clock, ExpiringCache, type Logger } from '../base/index.ts';
import { type RestClient, resourcePath } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { formatMicroTime } from '../machinery/values/index.ts';

/** What happened to a pod. */
export interface PodEvent {
  readonly about: Pod;
  readonly related?: Pod | undefined;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
}

/** What events are written with. */
export interface PodEventsOptions {
  readonly client: Pick<RestClient, 'send'>;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of this process. */
  readonly host: string;
  readonly signal: AbortSignal;
}

/** As release 1.20 (client-go, `tools/events`): repeats within the time are one event, which says so at most once in it. */
const limits = { seriesMs: 360_000, known: 4096, noteLength: 1024, atOnce: 8, queued: 10_000 };

interface Series {
  readonly name: string;
  count: number;
  isTold: boolean;
}

/** Writes events behind the work, which never waits for them; those that cannot be written are given up. */
export class PodEvents {
  readonly #options: PodEventsOptions;
  readonly #series: ExpiringCache<Series>;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #stamp = 0n;

  constructor(options: PodEventsOptions) {
    this.#options = options;
    this.#series = new ExpiringCache({ maxEntries: limits.known, nowMs: () => options.clock.nowMs() });
  }

  record(event: PodEvent): void {
    const { about, related, reason, action } = event;
    const versions = [about, related].map((pod) => [pod?.metadata.uid, pod?.metadata.resourceVersion]);
    // Not by its words: what is told of the same version of a pod is one event with the first of them.
    const key = JSON.stringify([...versions, reason, action]);
    const known = this.#series.get(key);
    if (known === undefined) {
      const { name = '' } = about.metadata;
      const series = { name: `${name}.${this.#nextStamp()}`, count: 0, isTold: false };
      this.#series.set(key, series, limits.seriesMs);
      this.#enqueue(() => this.#create(event, series.name));
      return;
    }
    known.count++;
    if (known.isTold) return;
    known.isTold = true;
    this.#enqueue(() => this.#repeat(event, known));
  }

  #nextStamp(): string {
    const now = BigInt(Math.floor(this.#options.clock.nowMs())) * 1_000_000n;
    this.#stamp = now > this.#stamp ? now : this.#stamp + 1n;
    return this.#stamp.toString(16);
  }

  #enqueue(write: () => Promise<void>): void {
    if (this.#waiting.length >= limits.queued) return;
    this.#waiting.push(write);
    if (this.#running < limits.atOnce) void this.#run();
  }

  async #run(): Promise<void> {
    const { logger, signal } = this.#options;
    this.#running++;
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift()) {
      if (signal.aborted) continue;
      try {
        await write();
      } catch (error) {
        if (!signal.aborted) logger.debug('event not written', { error });
      }
    }
    this.#running--;
  }

  async #create({ about, related, type, reason, action, note }: PodEvent, name: string): Promise<void> {
    const { client, dialect, clock, host, signal } = this.#options;
    const scheduler = about.spec.schedulerName ?? 'default-scheduler';
    const body = {
      apiVersion: `${dialect.group('events')}/v1`,
      kind: 'Event',
      metadata: { name, namespace: about.metadata.namespace },
      eventTime: formatMicroTime(clock.nowMs()),
      reportingController: (related ?? about).spec.schedulerName ?? scheduler,
      reportingInstance: `${(related ?? about).spec.schedulerName ?? scheduler}-${host}`.slice(0, 128),
      type,
      reason,
      action,
      note: shorten(note),
      regarding: referenceTo(about),
      ...(related === undefined ? {} : { related: referenceTo(related) }),
    };
    await client.send({ method: 'POST', path: this.#path(about), body, signal });
  }

  async #repeat({ about }: PodEvent, { name, count }: Series): Promise<void> {
    const { client, clock, signal } = this.#options;
    const body = { series: { count, lastObservedTime: formatMicroTime(clock.nowMs()) } };
    const contentType = 'application/merge-patch+json';
    await client.send({ method: 'PATCH', path: this.#path(about, name), body, contentType, signal });
  }

  #path({ metadata: { namespace } }: Pod, name?: string): string {
    const group = this.#options.dialect.group('events');
    return resourcePath({ group, version: 'v1', resource: 'events', namespace, name });
  }
}

function referenceTo({ metadata }: Pod): ObjectReference {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
}

function shorten(note: string): string {
  return note.length <= limits.noteLength ? note : `${note.slice(0, limits.noteLength - 4)} ...`;
}
