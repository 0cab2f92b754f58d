import { isJsonObject, type JsonObject, setOwn } from '../../../base/index.ts';
import { jsonEqual } from '../json-value.ts';
import { type DiffItems, type DiffOptions, diffLists } from './diff-lists.ts';
import { deleteDirectiveOf, orderDirectiveOf, retainKeysDirective } from './directives.ts';
import { enterField, type FieldScope, type Scope } from './scope.ts';

/** A place of the documents, and whether patches of it name the members to keep. */
export type DiffPlace = Scope & { readonly retainsKeys?: boolean };

/**
 * The strategic merge patch from one object to another; `{}` when they are the same.
 *
 * @throws PatchError `list-of-lists` or `not-mergeable` for merged lists that make no sense, `bad-patch` for too deep
 * nesting.
 */
export function diffObjects(
  original: JsonObject,
  modified: JsonObject,
  place: DiffPlace,
  options: DiffOptions,
): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(modified)) {
    const after = modified[key];
    if (Object.hasOwn(original, key))
      diffMember(patch, { key, before: original[key], after }, place, options);
    else if (!options.ignoresChanges) setOwn(patch, key, after);
  }
  if (!options.ignoresDeletions) {
    for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) setOwn(patch, key, null);
  }
  if (place.retainsKeys === true) retainKeysOf(patch, original, modified);
  return patch;
}

interface Member {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

function diffMember(patch: JsonObject, member: Member, place: Scope, options: DiffOptions): void {
  const { key, before, after } = member;
  if (isJsonObject(before) && isJsonObject(after)) {
    const field = enterField(place, key);
    if (field.strategy === 'replace') setChanged(patch, member, options);
    else {
      const inner = diffObjects(before, after, itemPlace(field), options);
      if (Object.keys(inner).length > 0) setOwn(patch, key, inner);
    }
  } else if (Array.isArray(before) && Array.isArray(after)) {
    const field = enterField(place, key);
    if (field.strategy !== 'merge') setChanged(patch, member, options);
    else {
      const { items, deleted, order } = diffLists({ before, after }, field, options, diffItems);
      if (items.length > 0) setOwn(patch, key, items);
      if (deleted.length > 0) setOwn(patch, deleteDirectiveOf(key), deleted);
      if (order.length > 0) setOwn(patch, orderDirectiveOf(key), order);
    }
  } else setChanged(patch, member, options);
}

const diffItems: DiffItems = (before, after, field, options) =>
  diffObjects(before, after, itemPlace(field), options);

const itemPlace = ({ inner, retainsKeys }: FieldScope): DiffPlace => ({ ...inner, retainsKeys });

function setChanged(
  patch: JsonObject,
  { key, before, after }: Member,
  { ignoresChanges }: DiffOptions,
): void {
  if (!ignoresChanges && !jsonEqual(before, after)) setOwn(patch, key, after);
}

/** Names the members to keep, when there is something to say or to clear. */
function retainKeysOf(patch: JsonObject, original: JsonObject, modified: JsonObject): void {
  const kept = Object.keys(modified).filter((key) => modified[key] !== null);
  if (kept.length === 0) return;
  const isCleared = (key: string): boolean => original[key] !== null && !Object.hasOwn(modified, key);
  if (Object.keys(patch).length === 0 && !Object.keys(original).some(isCleared)) return;
  patch[retainKeysDirective] = kept.sort();
}
