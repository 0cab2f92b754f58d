import { keepReceived } from '../../schema/index.ts';
import { type FieldSet, fieldSetOf, isEmptyFieldSet } from '../fieldpath/field-set.ts';
import { differenceOf } from '../fieldpath/set-algebra.ts';
import type { ManagerSet } from '../merge/managers.ts';

/** Fields that nobody owns: they say which object it is, or the server writes them. */
export const unownedFields = fieldSetOf(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

/** The set without the fields that nobody owns. */
export const withoutUnowned = (set: FieldSet): FieldSet => differenceOf(set, unownedFields);

/** Takes fields that nobody owns from one manager; a manager without fields goes. */
export function stripUnowned(managers: Map<string, ManagerSet>, id: string): void {
  const own = managers.get(id);
  if (own === undefined) return;
  const set = withoutUnowned(own.set);
  if (isEmptyFieldSet(set)) managers.delete(id);
  else managers.set(id, { ...own, set });
}

/** The object as ownership sees it: without the record of owners. The rest is shared. */
export function withoutManagedFields(object: Record<string, unknown>): Record<string, unknown> {
  const { metadata } = object;
  if (typeof metadata !== 'object' || metadata === null || !('managedFields' in metadata)) return object;
  const copy = { ...object, metadata: { ...metadata, managedFields: undefined } };
  keepReceived(object, copy);
  return copy;
}
