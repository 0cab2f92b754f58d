import { type Clock, systemClock } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import {
  type CollectionRequest,
  type ListPage,
  type LocalCollection,
  type RestClient,
  resourcePath,
  type WatchEvent,
  watchEvents,
} from '../rest/index.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { listPages } from './list-pages.ts';

/**
 * Takes what a reflector sees. Calls come one at a time, in the order of the server. Lists come in pages, so that a
 * sink which remembers little needs little memory.
 */
export interface ReflectorSink {
  /** A list begins: at the start, and again after a gap. A list that had begun and did not end is void. */
  beginList(): void;
  /** Objects of the list as they are now. */
  addListed(objects: readonly ApiObject[]): void;
  /** The list is complete: what it did not have is gone. Changes follow. */
  endList(): void;
  upsert(object: ApiObject): void;
  /** `object` is the last state. */
  remove(object: ApiObject): void;
}

/** Media types to ask for, for collections of metadata only: lists and the objects of events are different kinds. */
export interface CollectionMediaTypes {
  readonly list: string;
  readonly watch: string;
}

/** What a reflector needs. */
export interface ReflectorOptions {
  readonly client: RestClient;
  readonly collection: CollectionRequest;
  readonly sink: ReflectorSink;
  readonly signal: AbortSignal;
  readonly clock?: Clock | undefined;
  /** Called with each failure before the pause that follows; failures never end a reflector. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Objects per list request. Default 500. Local collections have pages of their own. */
  readonly pageSize?: number | undefined;
  readonly accept?: CollectionMediaTypes | undefined;
  readonly backoff?: Backoff | undefined;
  /** Numbers from 0 to 1 that spread the ends of watches, so that many do not come back at once. */
  readonly random?: (() => number) | undefined;
}

/**
 * Seconds after which, at the earliest, a server is asked to end a watch, so that a dead connection does not go
 * unnoticed; at the latest after twice as many.
 */
const minWatchSeconds = 300;

/** A watch that ends sooner is not resumed at once, so that a server which ends all of them can rest. */
const minWatchMs = 1000;

/**
 * Lists a collection and watches it from there, until `signal` aborts. A watch that ends is resumed after the last
 * version seen, bookmarks included; one that the server cannot resume (410) begins with a new list. Failures and
 * watches that end at once are tried again with growing pauses. It keeps no objects. Resolves after the abort.
 */
export async function runReflector(options: ReflectorOptions): Promise<void> {
  const { signal, clock = systemClock } = options;
  const backoff = options.backoff ?? createBackoff();
  let resourceVersion: string | undefined;
  while (!signal.aborted) {
    const isResumed = resourceVersion !== undefined;
    try {
      resourceVersion ??= await listAll(options);
      const startedAtMs = clock.nowMs();
      for await (const version of watchFrom(options, resourceVersion)) {
        resourceVersion = version;
        backoff.reset();
      }
      if (clock.nowMs() - startedAtMs >= minWatchMs) {
        backoff.reset();
        continue;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) {
        resourceVersion = undefined;
        // A gap in history is no fault of the server: a new list need not wait long. A gap right after a list is.
        if (isResumed) backoff.reset();
      }
      options.onError?.(error);
    }
    if (!signal.aborted) await pause(clock, backoff.nextDelayMs(), signal);
  }
}

/** Hands every object to the sink, page by page; the version that the list stands at. */
async function listAll(options: ReflectorOptions): Promise<string> {
  const { sink, signal } = options;
  const pages = findLocal(options)?.list(signal) ?? listByRequests(options);
  let version = '';
  sink.beginList();
  for await (const page of pages) {
    sink.addListed(page.items);
    version = page.resourceVersion;
  }
  sink.endList();
  return version;
}

function findLocal({ client, collection, accept }: ReflectorOptions): LocalCollection | undefined {
  return client.local?.find({ ...collection, isMetadataOnly: accept !== undefined });
}

function listByRequests(options: ReflectorOptions): AsyncIterable<ListPage> {
  const { client, collection, signal, accept, pageSize } = options;
  const path = resourcePath(collection);
  const query = selectorsOf(collection);
  return listPages(client, { path, query, pageSize, accept: accept?.list, signal });
}

/** Hands changes to the sink and yields the version after each. */
async function* watchFrom(options: ReflectorOptions, resourceVersion: string): AsyncGenerator<string> {
  const { sink, signal } = options;
  const events =
    findLocal(options)?.watch(resourceVersion, signal) ?? watchByRequest(options, resourceVersion);
  for await (const { type, object } of events) {
    const changed = object as ApiObject; // an event without metadata is the server's fault and fails below
    if (type === 'DELETED') sink.remove(changed);
    else if (type !== 'BOOKMARK') sink.upsert(changed);
    yield changed.metadata.resourceVersion ?? resourceVersion;
  }
}

function watchByRequest(options: ReflectorOptions, resourceVersion: string): AsyncIterable<WatchEvent> {
  const { client, collection, signal, accept, random = Math.random } = options;
  return watchEvents(client, {
    method: 'GET',
    path: resourcePath(collection),
    accept: accept?.watch,
    signal,
    query: {
      ...selectorsOf(collection),
      resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.floor(minWatchSeconds * (1 + random())),
    },
  });
}

function selectorsOf({ labelSelector, fieldSelector }: CollectionRequest) {
  return { labelSelector, fieldSelector };
}

function isGone(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone')
  );
}

function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.setTimer(delayMs, finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
