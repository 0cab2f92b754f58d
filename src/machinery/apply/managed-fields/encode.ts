import type { Steps } from '../../../base/index.ts';
import type { ManagedFieldsEntry } from '../../meta/index.ts';
import { serializeFieldSet } from '../fieldpath/fields-v1.ts';
import { compareTexts } from '../value/index.ts';
import { parseIdentity } from './identity.ts';
import type { ManagedState } from './state.ts';

/**
 * Owners as `metadata.managedFields`: appliers first, then by time (whole seconds), name and version.
 * Undefined when there are none. Values of `fieldsV1` are shared and must not be changed. Each owner is a step.
 */
export function* encodeManagedFields({
  managers,
  times,
}: ManagedState): Steps<ManagedFieldsEntry[] | undefined> {
  if (managers.size === 0) return undefined;
  const entries: ManagedFieldsEntry[] = [];
  for (const [id, { set, apiVersion, isApplied }] of managers) {
    yield;
    const { manager, operation } = parseIdentity(id);
    const time = times.get(id);
    entries.push({
      ...(manager === '' ? {} : { manager }),
      operation: isApplied ? 'Apply' : operation,
      apiVersion,
      ...(time === undefined ? {} : { time }),
      fieldsType: 'FieldsV1',
      fieldsV1: serializeFieldSet(set),
    });
  }
  return entries.sort(compareEntries);
}

/** Seconds since the epoch; entries without a time are the oldest. */
export const secondsOf = (time: string | null | undefined): number =>
  time ? Math.floor(Date.parse(time) / 1000) || 0 : 0;

const compareEntries = (left: ManagedFieldsEntry, right: ManagedFieldsEntry): number =>
  compareTexts(left.operation ?? '', right.operation ?? '') ||
  secondsOf(left.time) - secondsOf(right.time) ||
  compareTexts(left.manager ?? '', right.manager ?? '') ||
  compareTexts(left.apiVersion ?? '', right.apiVersion ?? '');
