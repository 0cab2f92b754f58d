import type { ListMeta } from '../../machinery/meta/index.ts';
import { formatGroupVersion, type GroupVersionKind } from '../../machinery/schema/index.ts';
import type { ListResult, ServedKind } from '../../registry/index.ts';
import type { CachedObject } from '../../storage/watch-cache/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { Representation } from '../request/negotiate.ts';
import type { StoredEndpoint } from './endpoint.ts';
import { cachedBytes } from './write-object.ts';

/** A list to write: objects of an endpoint in the form that the client asked for. */
export interface ListSource {
  readonly exchange: Exchange;
  readonly endpoint: StoredEndpoint;
  readonly result: ListResult;
  readonly representation: Representation;
}

/** Reads what follows kind and version in an object's JSON. A version of equal shape needs no copy of the object. */
export function itemReader(served: ServedKind): (object: CachedObject) => Buffer {
  // Behind the opening brace: unstructured objects keep kind and version.
  if (served.type.isUnstructured === true) return (object) => cachedBytes(served, object).subarray(1);
  if (served.conversion === undefined) {
    const skip = headLength(served.store.storageKind);
    return ({ bytes }) => bytes.subarray(skip);
  }
  const skip = headLength(served.kind);
  return (object) => cachedBytes(served, object).subarray(skip);
}

/** Bytes of kind and version in front of an object's JSON. */
export function headLength({ kind, group, version }: GroupVersionKind): number {
  return Buffer.byteLength(`{"kind":"${kind}","apiVersion":"${formatGroupVersion(group, version)}",`);
}

/** List metadata in wire order. */
export function listMetaOf(result: ListResult): ListMeta {
  return {
    ...partialListMetaOf(result),
    ...(result.remainingItemCount === undefined ? {} : { remainingItemCount: result.remainingItemCount }),
  };
}

/** The same for lists of metadata alone, which say nothing of how many objects remain. */
export function partialListMetaOf({ revision, continueToken }: ListResult): ListMeta {
  return {
    resourceVersion: String(revision),
    ...(continueToken === undefined ? {} : { continue: continueToken }),
  };
}
