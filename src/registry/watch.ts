import { expired, otherFailure, type StatusError } from '../machinery/errors/index.ts';
import type { StorageError } from '../storage/index.ts';
import type { CacheWatch, WatchEvent } from '../storage/watch-cache/index.ts';
import { matcherOf, prefixOf, type Selection } from './list.ts';
import { keyOf, type ResourceStore } from './resource-store.ts';
import { translateStorageError } from './storage-errors.ts';

export interface WatchRequest extends Selection {
  readonly start: WatchStart;
}

/** The revision after which a watch begins, or `state`: the present objects as ADDED events first. */
export type WatchStart = number | 'state';

/**
 * Where a watch begins by the version that a client gave; '' and '0' mean the present state.
 *
 * @throws StatusError when the version is no number. It is read before the answer begins, so that this can be said.
 */
export function parseWatchStart(resourceVersion: string): WatchStart {
  return resourceVersion === '' || resourceVersion === '0' ? 'state' : parseVersion(resourceVersion);
}

export interface WatchReceiver {
  onEvent(event: WatchEvent): void;
  /** The watch is over; nothing more comes. */
  onError(error: StatusError): void;
  /** Asked while old events are delivered: a promise makes them wait for it. */
  drained?(): Promise<void> | undefined;
}

/** Follows the changes of a selection from a version on. A version that is gone is reported to the receiver. */
export function watchObjects(
  store: ResourceStore,
  request: WatchRequest,
  receiver: WatchReceiver,
): CacheWatch {
  const { start } = request;
  return store.cache.watch(
    { prefix: watchPrefix(store, request), afterRevision: start, matches: matcherOf(request) },
    {
      onEvent: (event) => receiver.onEvent(event),
      onError: (error) => receiver.onError(watchError(error, start)),
      drained: () => receiver.drained?.(),
    },
  );
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
  return expired(`too old resource version: ${start}`);
}

function parseVersion(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const quoted = JSON.stringify(text);
  throw otherFailure(
    500,
    '',
    `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
  );
}
