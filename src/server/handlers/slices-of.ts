/** Objects that are parsed for one piece: some milliseconds of work. */
const pieceObjects = 64;

/** Items in slices of a few, each item mapped when its slice is asked for. */
export function* slicesOf<T, U>(items: readonly T[], map: (item: T) => U): Generator<readonly U[]> {
  for (let start = 0; start < items.length; start += pieceObjects) {
    yield items.slice(start, start + pieceObjects).map(map);
  }
}

/** The same slices with each item mapped. */
export function* mapSlices<T, U>(slices: Iterable<readonly T[]>, map: (item: T) => U): Generator<U[]> {
  for (const slice of slices) yield slice.map(map);
}

/** Slices in the order of a comparison, for which all items are held at once; as they come without one. */
export function* inOrder<T>(
  slices: Iterable<readonly T[]>,
  compare: ((a: T, b: T) => number) | undefined,
): Generator<readonly T[]> {
  if (compare === undefined) {
    yield* slices;
    return;
  }
  const all: T[] = [];
  for (const slice of slices) {
    all.push(...slice);
    yield [];
  }
  const sorting = sortInSteps(all, compare);
  let step = sorting.next();
  for (; step.done !== true; step = sorting.next()) yield [];
  yield* slicesOf(step.value, (item) => item);
}

/** Elements that are sorted, or comparisons that are made, in one step. */
const stepSize = 512;

/** Sorts in short steps, between which other requests get a turn. Stable; returns a new array. */
export function* sortInSteps<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, readonly T[]> {
  let runs: T[][] = [];
  for (let start = 0; start < items.length; start += stepSize) {
    runs.push(items.slice(start, start + stepSize).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [first = [], second = []] = [runs[at], runs[at + 1]];
      merged.push(second.length === 0 ? first : yield* mergeInSteps(first, second, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

function* mergeInSteps<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, T[]> {
  const merged: T[] = [];
  let next = 0;
  for (const item of second) {
    for (let other = first[next]; next < first.length; other = first[++next]) {
      // Within the bounds there is an item; of equal ones the earlier goes first.
      if (compare(other as T, item) > 0) break;
      merged.push(other as T);
      if (merged.length % stepSize === 0) yield;
    }
    merged.push(item);
    if (merged.length % stepSize === 0) yield;
  }
  for (; next < first.length; next += stepSize) {
    merged.push(...first.slice(next, next + stepSize));
    yield;
  }
  return merged;
}
