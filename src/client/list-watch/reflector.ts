import { type Clock, systemClock } from '../../base/index.ts';
import { StatusError } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { type RestClient, resourcePath, watchEvents } from '../rest/index.ts';
import { type Backoff, createBackoff } from './backoff.ts';

/** Which collection to follow. */
export interface CollectionRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Undefined: all namespaces, or cluster-scoped. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Takes what a reflector sees. Calls come one at a time, in the order of the server. */
export interface ReflectorSink {
  /** The whole collection: at the start, and again after a gap. */
  replace(objects: readonly ApiObject[], resourceVersion: string): void;
  upsert(object: ApiObject): void;
  remove(object: ApiObject): void;
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
  /** Objects per list request. Default 500. */
  readonly pageSize?: number | undefined;
  /** Media type to ask for, for collections of metadata only. */
  readonly accept?: string | undefined;
  readonly backoff?: Backoff | undefined;
}

const defaultPageSize = 500;

/** Seconds after which a server is asked to end a watch, so that a dead connection does not go unnoticed. */
const watchTimeoutSeconds = 300;

/**
 * Lists a collection and watches it from there, until `signal` aborts. A watch that ends is resumed after the last
 * version seen, bookmarks included; one that the server cannot resume (410) begins with a new list. Other failures
 * are tried again with growing pauses. Resolves after the abort.
 */
export async function runReflector(options: ReflectorOptions): Promise<void> {
  const { signal, clock = systemClock } = options;
  const backoff = options.backoff ?? createBackoff();
  let resourceVersion: string | undefined;
  while (!signal.aborted) {
    try {
      resourceVersion ??= await listAll(options);
      for await (const version of watchFrom(options, resourceVersion)) {
        resourceVersion = version;
        backoff.reset();
      }
    } catch (error) {
      if (signal.aborted) return;
      // A gap in history is no fault of the server: a new list need not wait long.
      if (isGone(error)) {
        resourceVersion = undefined;
        backoff.reset();
      }
      options.onError?.(error);
    }
    if (!signal.aborted) await pause(clock, backoff.nextDelayMs(), signal);
  }
}

async function listAll({
  client,
  collection,
  sink,
  signal,
  accept,
  pageSize = defaultPageSize,
}: ReflectorOptions): Promise<string> {
  const objects: ApiObject[] = [];
  let continueToken = '';
  let resourceVersion = '';
  do {
    const page = await client.json<ListDocument>({
      method: 'GET',
      path: resourcePath(collection),
      accept,
      signal,
      query: { ...selectorsOf(collection), limit: pageSize, continue: continueToken },
    });
    for (const item of page.items ?? []) objects.push(item);
    continueToken = page.metadata?.continue ?? '';
    resourceVersion = page.metadata?.resourceVersion ?? '';
  } while (continueToken !== '');
  sink.replace(objects, resourceVersion);
  return resourceVersion;
}

/** Hands changes to the sink and yields the version after each. */
async function* watchFrom(options: ReflectorOptions, resourceVersion: string): AsyncGenerator<string> {
  const { client, collection, sink, signal, accept } = options;
  const events = watchEvents(client, {
    method: 'GET',
    path: resourcePath(collection),
    accept,
    signal,
    query: {
      ...selectorsOf(collection),
      resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: watchTimeoutSeconds,
    },
  });
  for await (const { type, object } of events) {
    const changed = object as ApiObject; // an event without metadata is the server's fault and fails below
    if (type === 'DELETED') sink.remove(changed);
    else if (type !== 'BOOKMARK') sink.upsert(changed);
    yield changed.metadata.resourceVersion ?? resourceVersion;
  }
}

interface ListDocument {
  readonly metadata?: { readonly continue?: string; readonly resourceVersion?: string };
  readonly items?: readonly ApiObject[];
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
