import type { ApiObject } from '../../machinery/meta/index.ts';
import { jsonEqual } from '../../machinery/patch/index.ts';
import type { ServedKind } from '../resource-store.ts';

/** An object before and after an update, in one version. */
interface Change {
  readonly before: ApiObject;
  readonly object: ApiObject;
  /** Whether a configuration is applied. */
  readonly isApplied: boolean;
}

/**
 * The object before an update as admission sees it. Release 1.20 takes the record of owners off it to compute the new one, and takes an
 * object to which a configuration brings no value for the changed one: it has the new record.
 */
export function shownOldObject({ store }: ServedKind, { before, object, isApplied }: Change): ApiObject {
  if (store.fieldManager === undefined || store.rules.keepsSentOwners === true) return before;
  const bare = withOwners(before, undefined);
  if (!isApplied) return bare;
  const { managedFields } = object.metadata;
  return jsonEqual(withOwners(object, undefined), bare) ? withOwners(before, managedFields) : bare;
}

const withOwners = (object: ApiObject, managedFields: ApiObject['metadata']['managedFields']): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, managedFields },
});
