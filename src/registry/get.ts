import { notFound } from '../machinery/errors/index.ts';
import type { CachedObject } from '../storage/watch-cache/index.ts';
import { waitFor } from './list.ts';
import { groupResourceOf, keyOfRequest, type ServedKind } from './resource-store.ts';
import { parseResourceVersion } from './resource-version.ts';

/** A read of one object; `namespace` is empty for cluster-scoped kinds. */
export interface GetRequest {
  readonly namespace: string;
  readonly name: string;
  /** As the client gave it; '' asks for the most recent state, '0' for any. */
  readonly resourceVersion: string;
  /** Asked for only when the request must wait. */
  readonly signal?: (() => AbortSignal) | undefined;
}

/**
 * One object.
 *
 * @throws StatusError NotFound; 504 when the asked version does not come in time.
 */
export async function getObject(served: ServedKind, request: GetRequest): Promise<CachedObject> {
  const { store } = served;
  const { resourceVersion: asked, signal } = request;
  if (asked === '') {
    // Where this process is the only writer, the cache shows all that was acknowledged.
    if (store.freshen !== undefined) await waitFor(store, await store.storage.currentRevision(), { signal });
  } else if (asked !== '0') await waitFor(store, parseResourceVersion(asked), { asked, signal });
  const object = store.cache.get(keyOfRequest(store, request));
  if (object === undefined) throw notFound(groupResourceOf(served), request.name);
  return object;
}
