import { differenceOf, type FieldSet, intersectionOf, isEmptyFieldSet, unionOf } from '../fieldpath/index.ts';
import { type Comparison, compareTyped, isSame } from '../typed/index.ts';
import { ApplyConflictError, listConflicts } from './conflict.ts';
import type { ConvertTyped, ManagerSet, Managers, TypedObject } from './managers.ts';

/** A change of an object and who makes it. */
export interface Transfer {
  readonly before: TypedObject;
  readonly after: TypedObject;
  /** What differs between the two. */
  readonly comparison: Comparison;
  readonly managers: Managers;
  /** Identity of the one who changes; its own set stays as it is. */
  readonly actor: string;
  readonly isForced: boolean;
  readonly convert: ConvertTyped;
}

export interface TransferResult {
  /** Without owners of nothing, and without those whose version is gone. */
  readonly managers: Map<string, ManagerSet>;
  readonly comparison: Comparison;
}

/**
 * Takes changed and removed fields away from all other managers, each in its own version.
 *
 * @throws ApplyConflictError when others own changed fields and the change is not forced.
 */
export function transferOwnership(transfer: Transfer): TransferResult {
  const { before, after, comparison, actor } = transfer;
  const managers = new Map(transfer.managers);
  if (isSame(comparison)) {
    for (const [id, { apiVersion }] of managers) {
      if (id !== actor && transfer.convert(before, apiVersion) === undefined) managers.delete(id);
    }
    return { managers: dropEmpty(managers), comparison };
  }
  const changes = new Map<string, Change | undefined>([[after.apiVersion, changeOf(comparison)]]);
  const conflicts = new Map<string, FieldSet>();
  for (const [id, own] of transfer.managers) {
    if (id === actor) continue;
    if (!changes.has(own.apiVersion)) {
      changes.set(own.apiVersion, changeInVersion(transfer, own.apiVersion));
    }
    const change = changes.get(own.apiVersion);
    if (change === undefined) {
      managers.delete(id);
      continue;
    }
    const lost = intersectionOf(own.set, change.written);
    if (!isEmptyFieldSet(lost)) conflicts.set(id, lost);
    const set = differenceOf(differenceOf(own.set, lost), change.removed);
    if (set !== own.set) managers.set(id, { ...own, set });
  }
  if (!transfer.isForced && conflicts.size > 0) throw new ApplyConflictError(listConflicts(conflicts));
  return { managers: dropEmpty(managers), comparison };
}

/** A comparison as owners of a version see it; made once for all of them. */
interface Change {
  readonly written: FieldSet;
  readonly removed: FieldSet;
}

const changeOf = ({ modified, added, removed }: Comparison): Change => ({
  written: unionOf(modified, added),
  removed,
});

function changeInVersion({ before, after, convert }: Transfer, apiVersion: string): Change | undefined {
  const old = convert(before, apiVersion);
  const now = convert(after, apiVersion);
  return old === undefined || now === undefined
    ? undefined
    : changeOf(compareTyped(now.schema.root, old.object, now.object));
}

function dropEmpty(managers: Map<string, ManagerSet>): Map<string, ManagerSet> {
  for (const [id, { set }] of managers) if (isEmptyFieldSet(set)) managers.delete(id);
  return managers;
}
