import { type FieldError, type FieldPath, invalidValue } from '../../machinery/errors/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { IntOrString } from '../types/intstr.ts';
import { isValidPercent, renderGo, validateNonNegative } from '../validation/index.ts';

/** A number or percentage as messages show it. */
export const showIntOrString = (value: IntOrString, context: RuleContext): unknown =>
  renderGo(value, 'intstr.IntOrString', context.catalog);

/** Errors of a value that is neither a number from zero nor a percentage. */
export function checkIntOrPercent(
  errors: FieldError[],
  value: IntOrString,
  path: FieldPath,
  context: RuleContext,
): void {
  if (typeof value === 'number') errors.push(...validateNonNegative(value, path));
  else {
    for (const problem of isValidPercent(value)) {
      errors.push(invalidValue(path, showIntOrString(value, context), problem));
    }
  }
}

const percentOf = (value: IntOrString): number | undefined =>
  typeof value === 'string' && isValidPercent(value).length === 0 ? Number(value.slice(0, -1)) : undefined;

/** The error of a percentage above one hundred. */
export function checkAtMostHundredPercent(
  errors: FieldError[],
  value: IntOrString,
  path: FieldPath,
  context: RuleContext,
): void {
  if ((percentOf(value) ?? 0) <= 100) return;
  errors.push(invalidValue(path, showIntOrString(value, context), 'must not be greater than 100%'));
}

/** The number, or the number of percent; text that is neither counts as zero. */
export function intOrPercentValue(value: IntOrString): number {
  if (typeof value === 'number') return value;
  return percentOf(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}
