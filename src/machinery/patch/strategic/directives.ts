import { isJsonObject, type JsonObject } from '../../../base/index.ts';
import { PatchError } from '../patch-error.ts';
import { formatGo, formatGoString } from './go-text.ts';

/** Member whose value says what to do with the object that it stands in, or with the list around that object. */
export const patchDirective = '$patch';
/** Member that lists the members to keep. */
export const retainKeysDirective = '$retainKeys';

const setElementOrder = '$setElementOrder';
const deleteFromPrimitiveList = '$deleteFromPrimitiveList';

/** True for `$setElementOrder/<field>` and what looks like it. */
export const isOrderDirective = (key: string): boolean => key.startsWith(setElementOrder);

/** True for `$deleteFromPrimitiveList/<field>` and what looks like it. */
export const isDeleteDirective = (key: string): boolean => key.startsWith(deleteFromPrimitiveList);

/** The member that gives the order of a field's items. */
export const orderDirectiveOf = (field: string): string => `${setElementOrder}/${field}`;

/** The member that lists the scalars to take out of a field. */
export const deleteDirectiveOf = (field: string): string => `${deleteFromPrimitiveList}/${field}`;

/** Field of `$setElementOrder/<field>`. @throws PatchError `bad-patch` for another form. */
export const orderedField = (key: string): string => fieldAfter(key, setElementOrder, 'setElementOrder list');

/** Field of `$deleteFromPrimitiveList/<field>`. @throws PatchError `bad-patch` for another form. */
export const deletedField = (key: string): string =>
  fieldAfter(key, deleteFromPrimitiveList, 'primitive list');

/** True for a list item, or an object, that carries a `$patch`. */
export const hasPatchDirective = (value: unknown): value is JsonObject =>
  isJsonObject(value) && Object.hasOwn(value, patchDirective);

/** True for a list item that says to delete its like. */
export const isDeletion = (value: unknown): boolean =>
  hasPatchDirective(value) && value[patchDirective] === 'delete';

/** For a `$patch` that does not exist, or not there. */
export const badPatchType = (directive: unknown, holder: JsonObject): PatchError =>
  new PatchError(
    'not-mergeable',
    `unknown patch type: ${formatGoString(directive)} in map: ${formatGo(holder)}`,
  );

function fieldAfter(key: string, prefix: string, what: string): string {
  if (!key.startsWith(`${prefix}/`)) throw new PatchError('bad-patch', `invalid patch format of ${what}`);
  return key.slice(prefix.length + 1);
}

/**
 * Removes from `target` what the patch's `$retainKeys` does not name; without that directive nothing.
 *
 * @throws PatchError `bad-patch` when it is no list, or leaves out a member that the patch sets.
 */
export function retainKeys(target: JsonObject, patch: JsonObject): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return;
  const list = patch[retainKeysDirective];
  if (!Array.isArray(list)) throw badRetainKeys();
  const kept = new Set<unknown>(list);
  for (const [key, value] of Object.entries(patch)) {
    if (key === retainKeysDirective || value === null) continue;
    if (isDeleteDirective(key) || isOrderDirective(key)) continue;
    if (!kept.has(key)) throw badRetainKeys();
  }
  for (const key of Object.keys(target)) if (!kept.has(key)) delete target[key];
}

const badRetainKeys = (): PatchError => new PatchError('bad-patch', 'invalid patch format of retainKeys');
