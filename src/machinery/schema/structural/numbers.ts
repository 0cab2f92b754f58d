import {
  formatDouble,
  isInteger,
  isJsonNumber,
  type JsonNumber,
  toDouble,
  toInteger,
} from '../../go-values/index.ts';
import type { Findings } from './findings.ts';
import type { SchemaNode } from './schema-names.ts';

/** What a schema says of numbers. */
export interface NumberRules {
  readonly multipleOf: number | undefined;
  readonly maximum: number | undefined;
  readonly minimum: number | undefined;
  readonly isMaximumExclusive: boolean;
  readonly isMinimumExclusive: boolean;
}

/** The rules of a schema; undefined where it has none. */
export function numberRules(schema: SchemaNode): NumberRules | undefined {
  const bound = (name: string): number | undefined => {
    const value = schema[name];
    return isJsonNumber(value) ? toDouble(value) : undefined;
  };
  const [multipleOf, maximum, minimum] = [bound('multipleOf'), bound('maximum'), bound('minimum')];
  if (multipleOf === undefined && maximum === undefined && minimum === undefined) return undefined;
  return {
    multipleOf,
    maximum,
    minimum,
    isMaximumExclusive: schema.exclusiveMaximum === true,
    isMinimumExclusive: schema.exclusiveMinimum === true,
  };
}

/** Checks a number: integers against the whole part of each rule, as release 1.20 does, others as doubles. */
export function checkNumber(rules: NumberRules, value: JsonNumber, path: string, findings: Findings): void {
  if (isInteger(value)) checkInteger(rules, toInteger(value), path, findings);
  else checkDouble(rules, toDouble(value), path, findings);
}

function checkInteger(rules: NumberRules, value: bigint, path: string, findings: Findings): void {
  const { multipleOf, maximum, minimum, isMaximumExclusive, isMinimumExclusive } = rules;
  if (multipleOf !== undefined) checkMultiple(multipleOf, value, path, findings);
  if (minimum !== undefined) {
    const bound = wholePart(minimum);
    if (isMinimumExclusive ? value <= bound : value < bound) {
      findings.invalid(path, value, `${isMinimumExclusive ? above : atLeast} ${bound}`);
    }
  }
  if (maximum !== undefined) {
    const bound = wholePart(maximum);
    if (isMaximumExclusive ? value >= bound : value > bound) {
      findings.invalid(path, value, `${isMaximumExclusive ? below : atMost} ${bound}`);
    }
  }
}

const above = 'should be greater than';
const atLeast = 'should be greater than or equal to';
const below = 'should be less than';
const atMost = 'should be less than or equal to';

function checkDouble(rules: NumberRules, value: number, path: string, findings: Findings): void {
  const { multipleOf, maximum, minimum, isMaximumExclusive, isMinimumExclusive } = rules;
  if (multipleOf !== undefined) checkDoubleMultiple(multipleOf, value, path, findings);
  if (minimum !== undefined && (isMinimumExclusive ? value <= minimum : value < minimum)) {
    findings.invalid(path, value, `${isMinimumExclusive ? above : atLeast} ${formatDouble(minimum)}`);
  }
  if (maximum !== undefined && (isMaximumExclusive ? value >= maximum : value > maximum)) {
    findings.invalid(path, value, `${isMaximumExclusive ? below : atMost} ${formatDouble(maximum)}`);
  }
}

/**
 * The whole part of a rule, which is what release 1.20 compares integers with. What does not fit into 64 bits is the least
 * integer there.
 */
function wholePart(bound: number): bigint {
  const whole = Math.trunc(bound);
  return Math.abs(whole) < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

function checkMultiple(multipleOf: number, value: bigint, path: string, findings: Findings): void {
  const factor = wholePart(multipleOf);
  // Below one there is no whole part to divide by; release 1.20 breaks off there.
  if (factor === 0n) checkDoubleMultiple(multipleOf, Number(value), path, findings);
  else if (factor < 0n) refuseFactor(String(factor), path, findings);
  else if (value % factor !== 0n) findings.invalid(path, value, `should be a multiple of ${factor}`);
}

function checkDoubleMultiple(multipleOf: number, value: number, path: string, findings: Findings): void {
  if (multipleOf < 0) refuseFactor(formatDouble(multipleOf), path, findings);
  else {
    const quotient = multipleOf < 1 ? (1 / multipleOf) * value : value / multipleOf;
    if (isNearlyWhole(quotient)) return;
    findings.invalid(path, value, `should be a multiple of ${formatDouble(multipleOf)}`);
  }
}

function refuseFactor(factor: string, path: string, findings: Findings): void {
  const text = `factor MultipleOf declared for ${path} must be positive: ${factor}`;
  findings.invalidVerbatim(path, Number(factor), text);
}

const greatestWhole = 2 ** 53 - 1;
const tolerance = 1e-9;

/** True for doubles that count as integers: up to 2^53, and as near to one as makes no difference (go-openapi/swag). */
export function isNearlyWhole(value: number): boolean {
  if (!(Math.abs(value) <= greatestWhole)) return false;
  if (Number.isInteger(value)) return true;
  // Only what is positive is compared with its whole part.
  if (value < 0 || Math.trunc(value) === 0) return false;
  return (value - Math.trunc(value)) / (value + Math.trunc(value)) < tolerance;
}
