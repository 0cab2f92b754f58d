import type { Dialect } from '../../machinery/dialect.ts';
import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { parseQuantity, quantitySign, wrappedQuantityValue } from '../../machinery/values/index.ts';
import { goQuantity } from './go-syntax.ts';
import { negativeMessage } from './numbers.ts';
import { isIntegerResource } from './resource-names.ts';

/** A quantity in canonical text, and the resource that it counts. */
export interface ResourceAmount {
  readonly resource: string;
  readonly quantity: string;
}

/** The error of a quantity below zero. `quantity` is canonical text. */
export const validateNonNegativeQuantity = (quantity: string, path: FieldPath): FieldError[] =>
  quantitySign(parseQuantity(quantity)) < 0 ? [invalidValue(path, quantity, negativeMessage)] : [];

/** Errors of an amount of a resource: below zero, or a part of something that comes in whole numbers. */
export function validateResourceQuantity(
  { resource, quantity }: ResourceAmount,
  path: FieldPath,
  dialect: Dialect,
): FieldError[] {
  const errors = validateNonNegativeQuantity(quantity, path);
  if (
    isIntegerResource(resource, dialect) &&
    wrappedQuantityValue(parseQuantity(quantity), -3) % 1000n !== 0n
  ) {
    errors.push(invalidValue(path, goQuantity(quantity), 'must be an integer'));
  }
  return errors;
}
