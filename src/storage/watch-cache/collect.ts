import type { Slice } from '../../base/index.ts';
import { keyAfter, pathEnd } from '../key-range.ts';
import { type SortedTree, stopWalk } from '../sorted-tree.ts';
import type { CachedObject } from './cached-object.ts';
import type { ObjectPredicate } from './change.ts';

export interface CollectRequest {
  /** A folder that ends with `/`, or one exact key. */
  readonly prefix: string;
  /** First key to look at, inclusive. */
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

/** As `collect`, with rests. The tree must not change meanwhile: give it a clone. */
export async function collectSliced(
  tree: SortedTree<CachedObject>,
  request: CollectRequest,
  slice: Slice,
): Promise<Collected> {
  const walk = new Walk(tree, request);
  while (!walk.run(slice)) await slice.rest();
  return walk;
}

class Walk implements Collected {
  readonly objects: CachedObject[] = [];
  nextKey: string | undefined;
  readonly #tree: SortedTree<CachedObject>;
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
}
