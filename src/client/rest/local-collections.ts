import type { ApiObject } from '../../machinery/meta/index.ts';

/** Which collection is meant, as requests name it. */
export interface CollectionRequest {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Undefined: all namespaces, or cluster-scoped. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** The collections of a server in the same process, which are followed without requests. */
export interface LocalCollections {
  /**
   * Undefined for a collection that requests alone reach.
   *
   * @throws StatusError 400 for a selector that does not parse or names an unknown field.
   */
  find(request: CollectionRequest): LocalCollection | undefined;
}

/** One collection. Its objects come without managed fields and belong to all who follow it: never change them. */
export interface LocalCollection {
  /**
   * The newest state, a page after the other, none of them later than the version that each names.
   *
   * @throws StatusError as the list of a request.
   */
  list(signal: AbortSignal): AsyncIterable<LocalPage>;
  /**
   * What changes after a version, until the signal aborts or what is followed is served no more.
   *
   * @throws StatusError 410 when the version is no longer known.
   */
  watch(resourceVersion: string, signal: AbortSignal): AsyncIterable<LocalEvent>;
}

/** A part of a list. */
export interface LocalPage {
  readonly items: readonly ApiObject[];
  /** What the list stands at; the same on all pages. */
  readonly resourceVersion: string;
}

/** One change. `object` is the object after it, or before a deletion. */
export interface LocalEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}
