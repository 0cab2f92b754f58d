import sortedBtree from 'sorted-btree';

/** A map in key order whose `clone` costs O(1): the copies share nodes until one of them changes. */
export type SortedTree<Value> = InstanceType<typeof sortedBtree.default<string, Value>>;

/** An empty tree with keys in UTF-16 order. */
export function createSortedTree<Value>(): SortedTree<Value> {
  return new sortedBtree.default<string, Value>(undefined, sortedBtree.simpleComparator, maxNodeSize);
}

/** Returned by a `forRange` callback to stop the walk. */
export const stopWalk = { break: 0 } as const;

/** Wide enough to make counting cheap, narrow enough that copying a shared node on write stays cheap. */
const maxNodeSize = 64;
