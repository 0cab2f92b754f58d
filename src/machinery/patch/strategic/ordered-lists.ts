import { type JsonObject, setOwn } from '../../../base/index.ts';
import { isOrderDirective, orderedField } from './directives.ts';
import { checkElementOrder, orderMerged } from './element-order.ts';
import { badArgument } from './merge-key.ts';
import { elementKind, type MergeItems, mergeList } from './merge-list.ts';
import { enterMember, type FieldScope, type Scope } from './scope.ts';

/**
 * Merges the lists of `result` that the patch has a `$setElementOrder` for, and puts them in that order.
 *
 * @returns the members that need no more merging; undefined when there is no such directive.
 * @throws PatchError `bad-patch`, `list-of-lists` or `not-mergeable`.
 */
export function mergeOrderedLists(
  result: JsonObject,
  patch: JsonObject,
  scope: Scope,
  mergeItems: MergeItems,
): ReadonlySet<string> | undefined {
  let done: Set<string> | undefined;
  for (const directive of Object.keys(patch)) {
    if (!isOrderDirective(directive)) continue;
    scope.used?.add(patch, directive);
    const order = listOf(patch[directive]);
    const key = orderedField(directive);
    const lists = {
      live: Object.hasOwn(result, key) ? listOf(result[key]) : undefined,
      patch: Object.hasOwn(patch, key) ? listOf(patch[key]) : undefined,
      order,
    };
    const merged = mergeOrdered(lists, enterMember(scope, key, 'list'), mergeItems);
    if (merged === undefined) continue;
    setOwn(result, key, merged);
    scope.used?.add(patch, key);
    done ??= new Set();
    done.add(key);
  }
  return done;
}

interface OrderedLists {
  readonly live: readonly unknown[] | undefined;
  readonly patch: readonly unknown[] | undefined;
  readonly order: readonly unknown[];
}

function mergeOrdered(
  { live, patch, order }: OrderedLists,
  field: FieldScope,
  mergeItems: MergeItems,
): readonly unknown[] | undefined {
  checkElementOrder(patch ?? [], order, field.mergeKey);
  const merged = mergeFound(live, patch, field, mergeItems);
  if (merged === undefined) return undefined;
  elementKind(live ?? [], patch ?? []);
  return orderMerged(merged, { patchOrder: order, liveOrder: live ?? [], mergeKey: field.mergeKey });
}

/** One list alone is taken as it is, with its directives. */
function mergeFound(
  live: readonly unknown[] | undefined,
  patch: readonly unknown[] | undefined,
  field: FieldScope,
  mergeItems: MergeItems,
): readonly unknown[] | undefined {
  if (live === undefined || patch === undefined) return live ?? patch;
  return field.strategy === 'merge' ? mergeList(live, patch, field, mergeItems) : patch;
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw badArgument('[]interface {}', value);
  return value;
}
