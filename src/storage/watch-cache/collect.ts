import type { Slice } from '../../base/index.ts';
import { keyAfter, pathEnd } from '../key-range.ts';
import { type SortedTree, stopWalk } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { ObjectPredicate } from './change.ts';

export interface CollectRequest {
  /** A folder that ends with `/`, or one exact key. */
  readonly prefix: string;
  /** First key to read, inclusive. */
  readonly startKey?: string | undefined;
  /** At most so many objects; at least 1. */
  readonly limit?: number | undefined;
  readonly matches?: ObjectPredicate | undefined;
}

export interface Collected {
  readonly objects: readonly CachedObject[];
  /** Where the rest begins, when the limit left one. */
  readonly nextKey: string | undefined;
}

/** The objects of a tree that a request selects, in key order. */
export function collect(tree: SortedTree<CachedObject>, request: CollectRequest): Collected {
  const walk = new Walk(tree, request);
  walk.run(undefined);
  return walk;
}

/**
 * As `collect`, with rests: a promise when there was one. What it shows is the tree at the time of the call; the tree
 * may change meanwhile.
 */
export function collectSliced(
  tree: SortedTree<CachedObject>,
  request: CollectRequest,
  slice: Slice,
): Collected | Promise<Collected> {
  const walk = new Walk(tree, request);
  return walk.run(slice) ? walk : walk.resume(slice);
}

class Walk implements Collected {
  readonly objects: CachedObject[] = [];
  nextKey: string | undefined;
  #tree: SortedTree<CachedObject>;
  readonly #end: string;
  readonly #limit: number;
  readonly #matches: ObjectPredicate | undefined;
  #from: string;
  #lastKey = '';

  constructor(
    tree: SortedTree<CachedObject>,
    { prefix, startKey = prefix, limit = Infinity, matches }: CollectRequest,
  ) {
    this.#tree = tree;
    this.#from = startKey < prefix ? prefix : startKey;
    this.#end = pathEnd(prefix);
    this.#limit = limit;
    this.#matches = matches;
  }

  /** Goes on until the end or until the slice is spent; true when done. */
  run(slice: Slice | undefined): boolean {
    let isDone = true;
    this.#tree.forRange(this.#from, this.#end, false, (key, object) => {
      if (this.objects.length >= this.#limit) {
        this.nextKey = keyAfter(this.#lastKey);
        return stopWalk;
      }
      this.#lastKey = key;
      if (this.#matches === undefined || this.#matches(object)) this.objects.push(object);
      if (slice?.isSpent() !== true) return undefined;
      isDone = false;
      this.#from = keyAfter(key);
      return stopWalk;
    });
    return isDone;
  }

  /** Goes on until the end after a first rest. */
  async resume(slice: Slice): Promise<this> {
    this.#tree = this.#tree.clone();
    do await slice.rest();
    while (!this.run(slice));
    return this;
  }
}
