/**
 * Rules of the coordination group: leases, by which agents say that they are alive and elect leaders.
 */
import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { KindRules, KindRulesTable } from '../kind-rules.ts';
import type { Lease } from '../types/coordination-v1beta1.ts';
import { nameIsDnsSubdomain, validatePositive } from '../validation/index.ts';

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
  if (leaseTransitions !== undefined && leaseTransitions < 0) {
    // Release 1.20's own words.
    const detail = 'must to greater or equal than 0';
    errors.push(invalidValue(specPath.child('leaseTransitions'), leaseTransitions, detail));
  }
  return errors;
}

/** Rules of the coordination group's kinds. */
export const coordinationRules: KindRulesTable = { 'coordination.orch.io/v1beta1.Lease': leaseRules };
