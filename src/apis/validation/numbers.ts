import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';

/** Detail of errors about numbers and quantities below zero. */
export const negativeMessage = 'must be greater than or equal to 0';

/** The error of a number below zero. */
export const validateNonNegative = (value: number, path: FieldPath): FieldError[] =>
  value < 0 ? [invalidValue(path, value, negativeMessage)] : [];

/** The error of a number that is not above zero. */
export const validatePositive = (value: number, path: FieldPath): FieldError[] =>
  value <= 0 ? [invalidValue(path, value, 'must be greater than 0')] : [];
