import { jsonEqual } from '../json-value.ts';
import { PatchError } from '../patch-error.ts';
import { hasPatchDirective, isDeletion } from './directives.ts';
import { formatGo } from './go-text.ts';
import { identityOf } from './merge-key.ts';

/** What decides the order of a merged list. */
export interface ElementOrder {
  /** Items named here come in this order. */
  readonly patchOrder: readonly unknown[];
  /** The list before the patch. */
  readonly liveOrder: readonly unknown[];
  readonly mergeKey: string | undefined;
}

/**
 * A merged list in order: items that the patch names in the patch's order, the others in theirs, each of these in
 * front of the first named item that it stood in front of before. Items marked as deleted go last in their half.
 *
 * @throws PatchError `not-mergeable` for items without the merge key.
 */
export function orderMerged(merged: readonly unknown[], order: ElementOrder): readonly unknown[] {
  const { mergeKey } = order;
  const patchPlaces = placesOf(order.patchOrder, mergeKey);
  const livePlaces = placesOf(order.liveOrder, mergeKey);
  const named: unknown[] = [];
  const others: unknown[] = [];
  for (const item of merged) (patchPlaces.has(identityOf(item, mergeKey)) ? named : others).push(item);
  const placeBefore = (item: unknown): number | undefined => livePlaces.get(identityOf(item, mergeKey));
  return interleave(
    sortByPlace(others, livePlaces, mergeKey),
    sortByPlace(named, patchPlaces, mergeKey),
    placeBefore,
  );
}

/** The items in the order that `like` has them; those that it has not go last. @throws PatchError `not-mergeable` */
export function sortLike(
  items: readonly unknown[],
  like: readonly unknown[],
  mergeKey: string | undefined,
): unknown[] {
  return sortByPlace(items, placesOf(like, mergeKey), mergeKey);
}

/** True when two lists have the same items, by key, in the same order. @throws PatchError `not-mergeable` */
export function isSameOrder(
  a: readonly unknown[],
  b: readonly unknown[],
  mergeKey: string | undefined,
): boolean {
  return (
    a.length === b.length &&
    a.every((item, at) => jsonEqual(identityOf(item, mergeKey), identityOf(b[at], mergeKey)))
  );
}

type Places = ReadonlyMap<unknown, number>;

function placesOf(list: readonly unknown[], mergeKey: string | undefined): Places {
  const places = new Map<unknown, number>();
  list.forEach((item, place) => {
    const identity = identityOf(item, mergeKey);
    if (!places.has(identity)) places.set(identity, place);
  });
  return places;
}

function sortByPlace(items: readonly unknown[], places: Places, mergeKey: string | undefined): unknown[] {
  const placed = items.map((item) => ({
    item,
    place: isDeletion(item) ? Number.MAX_VALUE : (places.get(identityOf(item, mergeKey)) ?? places.size),
  }));
  return placed.sort((a, b) => a.place - b.place).map(({ item }) => item);
}

/** Both lists keep their order; an item of `others` goes first when it is known to have stood before the named one. */
function interleave(
  others: readonly unknown[],
  named: readonly unknown[],
  placeBefore: (item: unknown) => number | undefined,
): unknown[] {
  const result: unknown[] = [];
  let next = 0;
  for (const item of named) {
    const place = placeBefore(item);
    while (next < others.length) {
      const otherPlace = placeBefore(others[next]);
      if (place === undefined || otherPlace === undefined || otherPlace >= place) break;
      result.push(others[next]);
      next++;
    }
    result.push(item);
  }
  return [...result, ...others.slice(next)];
}

/**
 * Checks that a list of the patch follows the order that is given with it, and that this order names all its items
 * but those that it deletes.
 *
 * @throws PatchError `not-mergeable` otherwise.
 */
export function checkElementOrder(
  list: readonly unknown[],
  order: readonly unknown[],
  mergeKey: string | undefined,
): void {
  if (order.length === 0 || list.length === 0) return;
  let next = 0;
  for (const item of list) {
    if (mergeKey !== undefined && hasPatchDirective(item)) {
      // Release 1.20 counts one that replaces the list as an item, once the order is used up.
      if (isDeletion(item) || next < order.length) continue;
    } else {
      const identity = identityOf(item, mergeKey);
      while (next < order.length && identityOf(order[next], mergeKey) !== identity) next++;
    }
    if (next === order.length) {
      throw new PatchError(
        'not-mergeable',
        `The order in patch list:\n${formatGo(list)}\n doesn't match $setElementOrder list:\n${formatGo(order)}\n`,
      );
    }
    next++;
  }
}
