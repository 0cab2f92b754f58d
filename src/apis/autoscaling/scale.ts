import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { Scale } from '../types/autoscaling-v1.ts';
import { validateNonNegative } from '../validation/index.ts';

/** Errors of a `Scale`, beside its metadata. */
export const validateScale = ({ spec }: Scale): FieldError[] =>
  validateNonNegative(spec.replicas ?? 0, fieldPath('spec', 'replicas'));
