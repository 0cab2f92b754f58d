import type { CachedObject } from '../../storage/watch-cache/index.ts';

/** Versions of objects that this process validated as a whole, by the rules that it has still, before it stored them. */
const valid = new WeakSet<CachedObject>();

/** Whether nothing was wrong with a stored object: what an update leaves as it is need not be looked at again. */
export const isKnownValid = (stored: CachedObject): boolean => valid.has(stored);

/** Remembers that what was just stored is valid. */
export const noteValid = (stored: CachedObject): void => void valid.add(stored);
