import type { ApiObject } from '../../machinery/meta/index.ts';
import type { ResourcePath } from './request.ts';

/** Which objects of a resource are meant, as requests name them. */
export interface CollectionRequest extends Omit<ResourcePath, 'name' | 'subresource'> {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** The collections of a server in the same process, which are followed without requests. */
export interface LocalCollections {
  /**
   * Undefined for a collection that requests alone reach. With `isMetadataOnly` its objects have nothing but their kind
   * and metadata, whose other parts are not even read.
   *
   * @throws StatusError 400 for a selector that does not parse or names an unknown field.
   */
  find(request: LocalRequest): LocalCollection | undefined;
}

/** A collection, and how much of its objects is wanted. */
export interface LocalRequest extends CollectionRequest {
  readonly isMetadataOnly?: boolean | undefined;
}

/** One collection. Its objects come without managed fields and belong to all who follow it: never change them. */
export interface LocalCollection {
  /**
   * The newest state, a page after the other, none of them later than the version that each names.
   *
   * @throws StatusError as the list of a request; the signal's reason once it has aborted.
   */
  list(signal: AbortSignal): AsyncIterable<ListPage>;
  /**
   * What changes after a version, until the signal aborts or what is followed is served no more.
   *
   * @throws StatusError 410 when the version is no longer known.
   */
  watch(resourceVersion: string, signal: AbortSignal): AsyncIterable<LocalEvent>;
}

/** A part of a list. */
export interface ListPage {
  readonly items: readonly ApiObject[];
  /** What the list stands at; the same on all pages. */
  readonly resourceVersion: string;
}

/** One change. `object` is the object after it, or before a deletion. */
export interface LocalEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}
