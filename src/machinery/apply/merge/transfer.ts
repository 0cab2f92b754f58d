import { differenceOf, type FieldSet, intersectionOf, isEmptyFieldSet, unionOf } from '../fieldpath/index.ts';
import { type Comparison, compareTyped, isSame } from '../typed/index.ts';
import { ApplyConflictError, listConflicts } from './conflict.ts';
import type { ConvertTyped, ManagerSet, Managers, TypedObject } from './managers.ts';

/** A change of an object and who makes it. */
export interface Transfer {
  readonly before: TypedObject;
  readonly after: TypedObject;
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
  const { before, after, actor } = transfer;
  const comparison = compareTyped(after.schema.root, before.object, after.object);
  const managers = new Map(transfer.managers);
  if (isSame(comparison)) return { managers: dropEmpty(managers), comparison };
  const comparisons = new Map<string, Comparison | undefined>([[after.apiVersion, comparison]]);
  const conflicts = new Map<string, FieldSet>();
  for (const [id, own] of transfer.managers) {
    if (id === actor) continue;
    if (!comparisons.has(own.apiVersion)) {
      comparisons.set(own.apiVersion, compareInVersion(transfer, own.apiVersion));
    }
    const change = comparisons.get(own.apiVersion);
    if (change === undefined) {
      managers.delete(id);
      continue;
    }
    const lost = intersectionOf(own.set, unionOf(change.modified, change.added));
    if (!isEmptyFieldSet(lost)) conflicts.set(id, lost);
    const set = differenceOf(differenceOf(own.set, lost), change.removed);
    if (set !== own.set) managers.set(id, { ...own, set });
  }
  if (!transfer.isForced && conflicts.size > 0) throw new ApplyConflictError(listConflicts(conflicts));
  return { managers: dropEmpty(managers), comparison };
}

function compareInVersion({ before, after, convert }: Transfer, apiVersion: string): Comparison | undefined {
  const old = convert(before, apiVersion);
  const now = convert(after, apiVersion);
  return old === undefined || now === undefined
    ? undefined
    : compareTyped(now.schema.root, old.object, now.object);
}

function dropEmpty(managers: Map<string, ManagerSet>): Map<string, ManagerSet> {
  for (const [id, { set }] of managers) if (isEmptyFieldSet(set)) managers.delete(id);
  return managers;
}
