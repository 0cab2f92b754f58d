import { expired, otherFailure, type StatusError } from '../machinery/errors/index.ts';
import type { StorageError } from '../storage/index.ts';
import type { CacheWatch, WatchEvent } from '../storage/watch-cache/index.ts';
import { matcherOf, prefixOf, type Selection } from './list.ts';
import { keyOf, type ResourceStore } from './resource-store.ts';
import { translateStorageError } from './storage-errors.ts';

export interface WatchRequest extends Selection {
  /** As the client gave it; '' and '0' start with the present state as ADDED events. */
  readonly resourceVersion: string;
}

export interface WatchReceiver {
  onEvent(event: WatchEvent): void;
  /** The watch is over; nothing more comes. */
  onError(error: StatusError): void;
}

/**
 * Follows the changes of a selection from a version on.
 *
 * @throws StatusError when the version is no number. A version that is gone is reported to the receiver.
 */
export function watchObjects(
  store: ResourceStore,
  request: WatchRequest,
  receiver: WatchReceiver,
): CacheWatch {
  const { resourceVersion } = request;
  const afterRevision =
    resourceVersion === '' || resourceVersion === '0' ? 'state' : parseVersion(resourceVersion);
  return store.cache.watch(
    { prefix: watchPrefix(store, request), afterRevision, matches: matcherOf(request) },
    {
      onEvent: (event) => receiver.onEvent(event),
      onError: (error) => receiver.onError(watchError(error, resourceVersion)),
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

function watchError(error: StorageError, resourceVersion: string): StatusError {
  if (error.code !== 'compacted') return translateStorageError(error);
  return expired(`too old resource version: ${resourceVersion}`);
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
