import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientDuplexStream, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { StorageError } from '../contract.ts';
import { closedError } from '../storage-errors.ts';
import { isNotSent, isRefusedByTls, isTransient, toStorageFailure } from './failure.ts';
import { mostSpecificFailure, Outage } from './outage.ts';
import { type Method, methods, type WatchAnswer, type WatchCall } from './protocol.ts';
import { type EtcdTls, makeTlsCredentials } from './tls-credentials.ts';

export interface ClusterOptions {
  /** `http://HOST:PORT` or `https://HOST:PORT`, at least one. */
  readonly endpoints: readonly string[];
  readonly tls?: EtcdTls | undefined;
  readonly requestTimeoutMs: number;
}

export interface CallOptions {
  readonly timeoutMs?: number;
  /** Members without a leader are waited for too, for all of the time. */
  readonly isPatient?: boolean;
  /** Called when an attempt failed without saying whether it was applied. */
  readonly onUncertain?: () => void;
}

const firstPauseMs = 50;
const maxPauseMs = 1000;
/** Members refuse pings that come more often than every five seconds. */
const keepaliveMs = 6000;
const keepaliveTimeoutMs = 3000;

const channelOptions = {
  'grpc.enable_http_proxy': 0,
  // Retries are made here, where it is known what may be repeated.
  'grpc.enable_retries': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.use_local_subchannel_pool': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc.keepalive_time_ms': keepaliveMs,
  'grpc.keepalive_timeout_ms': keepaliveTimeoutMs,
  'grpc.max_send_message_length': -1,
  'grpc.max_receive_message_length': -1,
} as const;

/** The members of one cluster: calls go to one of them until it fails, then to the next. */
export class Cluster {
  readonly endpoints: readonly string[];
  readonly #members: readonly Client[];
  readonly #metadata = new Metadata();
  readonly #outage = new Outage();
  readonly #requestTimeoutMs: number;
  readonly #closing = new AbortController();
  #current = 0;

  /** @throws RangeError for an endpoint that is not a URL of a host, and for certificates that cannot be used. */
  constructor({ endpoints, tls, requestTimeoutMs }: ClusterOptions) {
    if (endpoints.length === 0) throw new RangeError('etcd: expected at least one endpoint');
    const urls = endpoints.map(parseEndpoint);
    this.endpoints = urls.map((url) => url.origin);
    this.#members = urls.map((url) => connect(url, tls));
    this.#requestTimeoutMs = requestTimeoutMs;
    // A member that has lost its leader refuses calls and ends watches, instead of waiting for one.
    this.#metadata.set('hasleader', 'true');
  }

  /**
   * Calls one member after the other until one answers, the time is over, or every member has said, for longer than an
   * election takes, that it has no leader.
   *
   * @throws StorageError `unavailable`, `compacted`, `future-revision`, `disk-full`, `closed`; RangeError.
   */
  async call<Call, Answer>(
    method: Method<Call, Answer>,
    request: Call,
    { timeoutMs = this.#requestTimeoutMs, isPatient = false, onUncertain }: CallOptions = {},
  ): Promise<Answer> {
    const lateAt = Date.now() + timeoutMs;
    // One member that hangs must leave time for the next one.
    const attemptMs = this.#members.length === 1 ? timeoutMs : timeoutMs / 2;
    const bytes = method.encode(request);
    const failed = new Map<number, ServiceError>();
    for (let failures = 1; ; failures++) {
      if (this.#closing.signal.aborted) throw closedError();
      const member = this.#current;
      try {
        const answerBy = Math.min(lateAt, Date.now() + this.#outage.attemptMs(attemptMs));
        const answer = await this.#attempt(member, method, bytes, answerBy);
        this.#outage.end();
        return answer;
      } catch (error) {
        // Calls of the library fail with nothing else.
        const failure = error as ServiceError;
        if (!isNotSent(failure)) onUncertain?.();
        if (!isTransient(failure)) throw toStorageFailure(failure);
        this.leave(member);
        this.#outage.note(failure);
        const pauseMs = this.#pauseAfter(failures);
        failed.set(member, failure);
        if (this.#isInVain(failed, isPatient) || Date.now() + pauseMs >= lateAt)
          throw toStorageFailure(mostSpecificFailure([...failed.values()], failure));
        if (pauseMs > 0) await this.#pause(pauseMs);
      }
    }
  }

  /** Opens a stream of watches to the member in use. */
  openWatch(): { readonly member: number; readonly stream: ClientDuplexStream<WatchCall, WatchAnswer> } {
    if (this.#closing.signal.aborted) throw closedError();
    const member = this.#current;
    const { path, encode, decode } = methods.watch;
    return {
      member,
      stream: this.#client(member).makeBidiStreamRequest(path, encode, decode, this.#metadata),
    };
  }

  /** Lets calls go to the next member, if they still go to this one. */
  leave(member: number): void {
    if (this.#current === member) this.#current = (member + 1) % this.#members.length;
  }

  close(): void {
    this.#closing.abort();
    for (const member of this.#members) member.close();
  }

  #attempt<Call, Answer>(
    member: number,
    { path, decode }: Method<Call, Answer>,
    bytes: Buffer,
    deadline: number,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#client(member).makeUnaryRequest(
        path,
        passThrough,
        decode,
        bytes,
        this.#metadata,
        { deadline },
        (error, answer) => {
          if (error !== null) reject(error);
          else if (answer === undefined) reject(new StorageError('unavailable', 'etcd sent no answer'));
          else resolve(answer);
        },
      );
    });
  }

  #isInVain(failed: ReadonlyMap<number, ServiceError>, isPatient: boolean): boolean {
    if (failed.size < this.#members.length) return false;
    const failures = [...failed.values()];
    return isPatient ? failures.every(isRefusedByTls) : this.#outage.isHopeless(failures);
  }

  #client(member: number): Client {
    const client = this.#members[member];
    if (client === undefined) throw new RangeError(`no etcd member ${member}`);
    return client;
  }

  /** Ends early when the cluster is closed. The timer keeps the process alive: nothing else may, while a call waits. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closing;
    await delay(ms, undefined, { signal }).catch(() => {});
  }

  /** No pause before every member was tried, then longer ones from round to round. */
  #pauseAfter(failures: number): number {
    if (failures % this.#members.length !== 0) return 0;
    const round = failures / this.#members.length - 1;
    return Math.min(maxPauseMs, firstPauseMs * 2 ** round) * (0.5 + Math.random() / 2);
  }
}

function parseEndpoint(endpoint: string): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.host === '') {
    throw new RangeError('etcd: expected endpoints like http://HOST:PORT or https://HOST:PORT');
  }
  return url;
}

function connect(url: URL, tls: EtcdTls = {}): Client {
  const port = url.port === '' ? '2379' : url.port;
  const security = url.protocol === 'https:' ? makeTlsCredentials(tls) : credentials.createInsecure();
  return new Client(`${url.hostname}:${port}`, security, channelOptions);
}

function passThrough(bytes: Buffer): Buffer {
  return bytes;
}
