import { sortInSteps } from './sort-in-steps.ts';

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
