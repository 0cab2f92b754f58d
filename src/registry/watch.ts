import { expired, type StatusError } from '../machinery/errors/index.ts';
import type { StorageError } from '../storage/index.ts';
import type { CacheWatch, WatchEvent } from '../storage/watch-cache/index.ts';
import { matcherOf, prefixOf, type Selection, versionWaitMs } from './list.ts';
import { keyOf, type ResourceStore } from './resource-store.ts';
import { parseResourceVersion } from './resource-version.ts';
import { translateStorageError } from './storage-errors.ts';

/** The objects whose changes are followed, and where that begins. */
export interface WatchRequest extends Selection {
  readonly start: WatchStart;
}

/**
 * The revision after which a watch begins; `state`: the present objects as ADDED events first; or a state as
 * `WatchState` describes it.
 */
export type WatchStart = number | 'state' | WatchState;

/** The state at which a watch begins, once it has come. */
export interface WatchState {
  readonly notOlderThan: number | 'most-recent';
  /** Whether its objects come first, as ADDED events. */
  readonly isSent: boolean;
}

/**
 * Where a watch begins by what the client gave (spec, "Resource versions"): without a version the most recent state,
 * with '0' any. `sendInitialEvents` asks for the state, or for none, whatever the version.
 *
 * @throws StatusError when the version is no number. Called before the answer begins, so that a Status can still be
 * sent.
 */
export function parseWatchStart(resourceVersion: string, sendInitialEvents?: boolean): WatchStart {
  const isSent = sendInitialEvents ?? true;
  if (resourceVersion === '') return { notOlderThan: 'most-recent', isSent };
  if (resourceVersion === '0') return isSent ? 'state' : { notOlderThan: 0, isSent };
  const revision = parseResourceVersion(resourceVersion);
  // Zeros, however many.
  if (revision === 0) return parseWatchStart('0', sendInitialEvents);
  return sendInitialEvents === true ? { notOlderThan: revision, isSent } : revision;
}

/** Takes the events of one watch in the order in which clients get them. */
export interface WatchReceiver {
  onEvent(event: WatchEvent): void;
  /** The state with which the watch began has been sent; it was that of `revision`. */
  onInitialEnd?(revision: number): void;
  /** The watch is over; nothing more comes. */
  onError(error: StatusError): void;
  /** The watch is over because the resource is served no more. */
  onEnd?(): void;
  /** Called between old events: the next ones wait for the promise that it returns. */
  drained?(): Promise<void> | undefined;
}

/** Follows the changes of a selection from a version on. A version that is gone is reported to the receiver. */
export function watchObjects(
  store: ResourceStore,
  request: WatchRequest,
  receiver: WatchReceiver,
): CacheWatch {
  const { start, fields } = request;
  return store.cache.watch(
    {
      prefix: watchPrefix(store, request),
      afterRevision: afterRevision(start),
      matches: matcherOf(request),
      requiredValue: fields.isEmpty ? undefined : fields.requiredValue,
      ready: typeof start === 'object' ? () => stateCame(store, start) : undefined,
    },
    {
      onEvent: (event) => receiver.onEvent(event),
      onInitialEnd: (revision) => receiver.onInitialEnd?.(revision),
      onError: (error) => receiver.onError(watchError(error, start)),
      onEnd: () => receiver.onEnd?.(),
      drained: () => receiver.drained?.(),
    },
  );
}

function afterRevision(start: WatchStart): number | 'state' | 'now' {
  if (typeof start !== 'object') return start;
  return start.isSent ? 'state' : 'now';
}

/** @throws StorageError `future-revision` when the state does not come in time. */
async function stateCame(
  { storage, watchCache }: ResourceStore,
  { notOlderThan }: WatchState,
): Promise<void> {
  const revision = notOlderThan === 'most-recent' ? await storage.currentRevision() : notOlderThan;
  if (watchCache.revision < revision) {
    await watchCache.waitForRevision(revision, { timeoutMs: versionWaitMs });
  }
}

/** A watch that names one object follows that key only. */
function watchPrefix(store: ResourceStore, request: WatchRequest): string {
  const name = request.fields.requiredValue('metadata.name');
  if (name === undefined || (store.isNamespaced && request.namespace === '')) {
    return prefixOf(store, request.namespace);
  }
  return keyOf(store, request.namespace, name);
}

function watchError(error: StorageError, start: WatchStart): StatusError {
  if (error.code !== 'compacted') return translateStorageError(error);
  return expired(`too old resource version: ${typeof start === 'number' ? start : 0}`);
}
