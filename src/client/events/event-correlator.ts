import { hash } from 'node:crypto';
import type { ObjectReference } from '../../apis/types/core-v1.ts';
import { TokenBucket } from '../../base/index.ts';

/** A map that forgets what was longest not asked for or set, so that it never has more than `limit` entries. */
class RecentMap<V> {
  readonly #limit: number;
  readonly #entries = new Map<string, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }

  /** Forgets what was longest not set as long as that is old. */
  forgetOld(isOld: (value: V) => boolean): void {
    for (const [key, value] of this.#entries) {
      if (!isOld(value)) return;
      this.#entries.delete(key);
    }
  }
}

/** An event as it was recorded, with the name that it would get. */
export interface RecordedEvent {
  readonly name: string;
  readonly involved: ObjectReference;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  /** Written with a new event only: of those that are counted on, the first one's stay. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly atMs: number;
}

/** An event as the API server shall show it: new when its count is 1, else an earlier one that is counted on. */
export interface CorrelatedEvent extends RecordedEvent {
  readonly firstAtMs: number;
  readonly count: number;
}

/** Figures of release 1.20. */
const remembered = 4096;
const similarWithinMs = 600_000;
const maxSimilar = 10;
const perObject = { burst: 25, perSecond: 1 / 300 };
const similarPrefix = '(combined from similar events): ';

interface Similar {
  /** Digests, the oldest first: a list, since nearly all have one. */
  readonly messages: string[];
  lastAtMs: number;
}

/** What is remembered of an event that was written. */
type Written = Pick<CorrelatedEvent, 'name' | 'firstAtMs' | 'count'>;

/**
 * Makes few events of many: an equal event counts on, the tenth of a kind that differs in its message only becomes a
 * summary that counts on, and an object that has had too many gets no more for a while. What is remembered is short, since
 * thousands of events are: digests of texts instead of these.
 */
export class EventCorrelator {
  readonly #similar = new RecentMap<Similar>(remembered);
  readonly #written = new RecentMap<Written>(remembered);
  readonly #buckets = new RecentMap<TokenBucket>(remembered);

  /** What to write; undefined when this event is one too many. */
  correlate(event: RecordedEvent): CorrelatedEvent | undefined {
    const { event: shown, key } = this.#combine(event);
    const earlier = this.#written.get(key);
    const written: Written =
      earlier === undefined
        ? { name: shown.name, firstAtMs: shown.atMs, count: 1 }
        : { ...earlier, count: earlier.count + 1 };
    this.#written.set(key, written);
    return this.#isTooMany(event) ? undefined : { ...shown, ...written };
  }

  #combine(event: RecordedEvent): { readonly event: RecordedEvent; readonly key: string } {
    const kindKey = digest([...identify(event.involved), event.type, event.reason]);
    this.#similar.forgetOld(({ lastAtMs }) => event.atMs - lastAtMs > similarWithinMs);
    const similar = this.#similar.get(kindKey) ?? { messages: [], lastAtMs: 0 };
    const message = digest(event.message);
    if (!similar.messages.includes(message)) similar.messages.push(message);
    similar.lastAtMs = event.atMs;
    this.#similar.set(kindKey, similar);
    if (similar.messages.length < maxSimilar) {
      return { event, key: digest([kindKey, event.involved.fieldPath, event.message]) };
    }
    // Room for the next one: the list stays as long as it is.
    similar.messages.shift();
    return { event: { ...event, message: `${similarPrefix}${event.message}` }, key: kindKey };
  }

  #isTooMany({ involved, atMs }: RecordedEvent): boolean {
    const key = digest(identify(involved));
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = new TokenBucket(perObject, atMs);
      this.#buckets.set(key, bucket);
    }
    return !bucket.tryTake(atMs);
  }
}

const digest = (value: unknown): string => hash('sha1', JSON.stringify(value), 'base64');

const identify = ({ kind, namespace, name, uid, apiVersion }: ObjectReference): unknown[] => [
  kind,
  namespace,
  name,
  uid,
  apiVersion,
];
