import type { JsonObject } from '../../../base/index.ts';
import { patchDirective } from './directives.ts';
import { isSameOrder, sortLike } from './element-order.ts';
import { formatGo } from './go-text.ts';
import { keyOf } from './merge-key.ts';
import { elementKind, noMergeKeyDeclared } from './merge-list.ts';
import type { FieldScope } from './scope.ts';

/** Which differences a patch speaks of. */
export interface DiffOptions {
  /** Leave out what only the original has. */
  readonly ignoresDeletions: boolean;
  /** Leave out what is new or different. */
  readonly ignoresChanges: boolean;
  /** Say in which order the items of merged lists come. */
  readonly setsOrder: boolean;
}

/** The patch from one item to another of the same key. */
export type DiffItems = (
  before: JsonObject,
  after: JsonObject,
  field: FieldScope,
  options: DiffOptions,
) => JsonObject;

/** A merged list before and after. */
export interface ListStates {
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
}

/** What a patch says of a merged list; each is empty when there is nothing to say. */
export interface ListDiff {
  /** New and changed items, in their order, then objects to delete. */
  readonly items: readonly unknown[];
  /** Scalars to delete. */
  readonly deleted: readonly unknown[];
  /** All items, or their keys, in the wanted order. */
  readonly order: readonly unknown[];
}

const nothing: ListDiff = { items: [], deleted: [], order: [] };

/**
 * The differences of a merged list.
 *
 * @throws PatchError `list-of-lists`, or `not-mergeable` for mixed items and items without the key.
 */
export function diffLists(
  lists: ListStates,
  field: FieldScope,
  options: DiffOptions,
  diffItems: DiffItems,
): ListDiff {
  const { before, after } = lists;
  if (before.length === 0) {
    return after.length === 0 || options.ignoresChanges ? nothing : { ...nothing, items: after };
  }
  if (elementKind(before, after) === 'scalar') return diffScalars(lists, options);
  const { mergeKey } = field;
  if (mergeKey === undefined) throw noMergeKeyDeclared(field);
  const { changed, removed } = diffByKey(lists, mergeKey, options, (one, other) =>
    diffItems(one, other, field, options),
  );
  const items = [...sortLike(changed, after, mergeKey), ...removed];
  const isOrdered = items.length === 0 && (options.ignoresChanges || isSameOrder(before, after, mergeKey));
  const order =
    isOrdered || !options.setsOrder ? [] : after.map((item) => ({ [mergeKey]: keyOf(item, mergeKey) }));
  return { items, deleted: [], order };
}

function diffScalars({ before, after }: ListStates, options: DiffOptions): ListDiff {
  const wanted = sortedByText(after, formatGo);
  const known = sortedByText(before, formatGo);
  const added: unknown[] = [];
  const deleted: unknown[] = [];
  walkPairs(known, wanted, ({ left, right }) => {
    if (left === undefined && right !== undefined) added.push(right.value);
    else if (left !== undefined && right === undefined) deleted.push(left.value);
  });
  const items = options.ignoresChanges ? [] : sortLike(added, after, undefined);
  const gone = options.ignoresDeletions ? [] : [...new Set(deleted)];
  const isSame = items.length === 0 && gone.length === 0;
  const isOrdered = isSame && (options.ignoresChanges || isSameOrder(before, after, undefined));
  return { items, deleted: gone, order: isOrdered || !options.setsOrder ? [] : after };
}

function diffByKey(
  { before, after }: ListStates,
  mergeKey: string,
  options: DiffOptions,
  diffItem: (before: JsonObject, after: JsonObject) => JsonObject,
): { changed: unknown[]; removed: unknown[] } {
  const keyText = (item: unknown): string => formatGo(keyOf(item, mergeKey));
  const changed: unknown[] = [];
  const removed: unknown[] = [];
  walkPairs(sortedByText(before, keyText), sortedByText(after, keyText), ({ left, right }) => {
    if (left === undefined) {
      if (right !== undefined && !options.ignoresChanges) changed.push(right.value);
    } else if (right === undefined) {
      if (options.ignoresDeletions) return;
      removed.push({ [mergeKey]: keyOf(left.value, mergeKey), [patchDirective]: 'delete' });
    } else {
      // `keyOf` saw that all items are objects.
      const patch = diffItem(left.value as JsonObject, right.value as JsonObject);
      if (Object.keys(patch).length === 0) return;
      changed.push({ ...patch, [mergeKey]: keyOf(right.value, mergeKey) });
    }
  });
  return { changed, removed };
}

interface Keyed {
  readonly text: string;
  readonly value: unknown;
}

function sortedByText(list: readonly unknown[], textOf: (item: unknown) => string): Keyed[] {
  const keyed = list.map((value) => ({ text: textOf(value), value }));
  return keyed.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)));
}

interface Pair {
  readonly left: Keyed | undefined;
  readonly right: Keyed | undefined;
}

/** Pairs items of the same text, the first with the first; others stand alone. */
function walkPairs(lefts: readonly Keyed[], rights: readonly Keyed[], visit: (pair: Pair) => void): void {
  let at = 0;
  let other = 0;
  while (at < lefts.length || other < rights.length) {
    const left = lefts[at];
    const right = rights[other];
    const isLeft = right === undefined || (left !== undefined && left.text <= right.text);
    const isRight = left === undefined || (right !== undefined && right.text <= left.text);
    visit({ left: isLeft ? left : undefined, right: isRight ? right : undefined });
    if (isLeft) at++;
    if (isRight) other++;
  }
}
