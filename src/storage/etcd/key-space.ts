import { keyAfter, prefixEnd } from '../key-range.ts';

/** The part of etcd's keys that one store uses. */
export class KeySpace {
  /** Prefix of all keys of objects. */
  readonly root: string;
  /** Exclusive end of the keys of objects. */
  readonly end: string;
  /** A key right behind them that is written to learn how far a watch has come. */
  readonly fence: string;
  /** Exclusive end of what is watched: objects and fence. */
  readonly watchEnd: string;

  /** @throws RangeError for a root that is no folder. */
  constructor(root: string) {
    if (!root.startsWith('/') || !root.endsWith('/')) {
      throw new RangeError(`etcd: key prefix "${root}": expected one that starts and ends with /`);
    }
    this.root = root;
    this.end = prefixEnd(root);
    this.fence = `${this.end}watch-fence`;
    this.watchEnd = keyAfter(this.fence);
  }

  has(key: string): boolean {
    return key.startsWith(this.root);
  }

  /** The keys of `prefix` from `startKey` on, as far as they belong to the store. */
  clamp(prefix: string, startKey: string): { readonly from: string; readonly to: string } {
    const to = prefixEnd(prefix);
    const from = startKey < prefix ? prefix : startKey;
    return { from: later(from, this.root), to: earlier(to, this.end) };
  }
}

function later(one: string, other: string): string {
  return one < other ? other : one;
}

function earlier(one: string, other: string): string {
  return later(one, other) === one ? other : one;
}
