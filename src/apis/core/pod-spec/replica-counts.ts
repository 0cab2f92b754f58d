import { type FieldError, type FieldPath, invalidValue } from '../../../machinery/errors/index.ts';
import { negativeMessage } from '../../validation/index.ts';

/** Any object of which some fields are numbers that may be left out. */
export type ReplicaCounts = object;

const numberOf = (counts: ReplicaCounts, field: string): number => {
  const value = new Map<string, unknown>(Object.entries(counts)).get(field);
  return typeof value === 'number' ? value : 0;
};

/** Errors of numbers below zero, in the order of `fields`; absent ones count as zero. */
export function checkCounters(
  errors: FieldError[],
  counts: ReplicaCounts,
  fields: readonly string[],
  path: FieldPath,
): void {
  for (const field of fields) {
    const value = numberOf(counts, field);
    if (value < 0) errors.push(invalidValue(path.child(field), value, negativeMessage));
  }
}

/** Errors of counts in a status that are above the number of replicas, or of ready ones. */
export function checkReplicaCounts(
  errors: FieldError[],
  status: ReplicaCounts,
  fields: readonly string[],
  path: FieldPath,
): void {
  const replicas = numberOf(status, 'replicas');
  for (const field of fields) {
    const value = numberOf(status, field);
    if (value <= replicas) continue;
    errors.push(invalidValue(path.child(field), value, 'cannot be greater than status.replicas'));
  }
  const available = numberOf(status, 'availableReplicas');
  if (!fields.includes('availableReplicas') || available <= numberOf(status, 'readyReplicas')) return;
  const detail = 'cannot be greater than readyReplicas';
  errors.push(invalidValue(path.child('availableReplicas'), available, detail));
}
