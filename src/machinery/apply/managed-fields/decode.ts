import type { ManagedFieldsEntry } from '../../meta/index.ts';
import { FieldsV1Error } from '../fieldpath/fields-v1.ts';
import { PathElementError } from '../fieldpath/path-element.ts';
import type { ManagerSet } from '../merge/managers.ts';
import { formatIdentity } from './identity.ts';
import type { ManagedState, ParseFieldSet } from './state.ts';

/** Entries that cannot be read. */
export class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

/** True for an error of a record that does not follow its format, as clients may send it and others may have stored it. */
export const isBrokenRecord = (error: unknown): boolean =>
  error instanceof ManagedFieldsError || error instanceof FieldsV1Error || error instanceof PathElementError;

/**
 * Reads `metadata.managedFields`. Of two entries with one identity the later counts.
 *
 * @throws ManagedFieldsError, FieldsV1Error or PathElementError when it is no list, or an entry is broken (`isBrokenRecord`).
 */
export function decodeManagedFields(
  entries: readonly ManagedFieldsEntry[],
  parse: ParseFieldSet,
): ManagedState {
  if (!Array.isArray(entries)) throw new ManagedFieldsError('managed fields are no list');
  const managers = new Map<string, ManagerSet>();
  const times = new Map<string, string>();
  for (const [index, entry] of entries.entries()) {
    // What others stored was never decoded as a record.
    if (typeof entry !== 'object' || entry === null)
      throw new ManagedFieldsError(`managed fields entry ${index} is no object`);
    if (!entry.fieldsType) {
      throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
    }
    if (entry.fieldsType !== 'FieldsV1') {
      throw new ManagedFieldsError(
        `invalid fieldsType ${JSON.stringify(entry.fieldsType)} in managed fields entry ${index}`,
      );
    }
    const id = formatIdentity(entry);
    managers.set(id, {
      set: parse(entry.fieldsV1),
      apiVersion: entry.apiVersion ?? '',
      isApplied: entry.operation === 'Apply',
    });
    if (typeof entry.time === 'string') times.set(id, entry.time);
    else times.delete(id);
  }
  return { managers, times };
}
