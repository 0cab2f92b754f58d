/**
 * Rules of the coordination group: leases, by which agents say that they are alive and elect leaders.
 */
import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable } from '../kind-rules.ts';
import type { Lease } from '../types/coordination-v1beta1.ts';
import { nameIsDnsSubdomain, validateNonNegative, validatePositive } from '../validation/index.ts';

const specPath = fieldPath('spec');

const leaseRules: KindRules<Lease> = {
  validateName: nameIsDnsSubdomain,
  allowsAnyFinalizer: true,
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  validate: validateLease,
  validateUpdate: validateLease,
};

function validateLease({ spec }: Lease): FieldError[] {
  const { leaseDurationSeconds, leaseTransitions } = spec;
  const errors: FieldError[] = [];
  if (leaseDurationSeconds !== undefined) {
    errors.push(...validatePositive(leaseDurationSeconds, specPath.child('leaseDurationSeconds')));
  }
  if (leaseTransitions !== undefined) {
    errors.push(...validateNonNegative(leaseTransitions, specPath.child('leaseTransitions')));
  }
  return errors;
}

/** Rules of the coordination group's kinds. */
export const coordinationRules: KindRulesTable = { 'coordination.orch.io/v1beta1.Lease': leaseRules };
