import {
  compilePattern,
  type Pattern,
  type PatternFault,
  patternSize,
} from '../../schema/structural/index.ts';
import type { Meter } from '../meter.ts';
import { compare, isEqual, lettersPerStep, nameOfValue } from '../operations.ts';
import { Failure, isList, MapValue, TypeValue, type Value } from '../values.ts';

/** A function; undefined where it does not take such arguments, and the library is asked. A member's target comes first. */
export type Implementation = (args: readonly Value[], meter: Meter) => Value | Failure | undefined;

const [leastInt, greatestInt] = [-(2n ** 63n), 2n ** 63n - 1n];
const overflow = new Failure('integer overflow');

const checked = (value: bigint): bigint | Failure =>
  value < leastInt || value > greatestInt ? overflow : value;

function integers(run: (a: bigint, b: bigint) => bigint | Failure): Implementation {
  return ([a, b]) => {
    if (typeof a !== 'bigint' || typeof b !== 'bigint') return undefined;
    const result = run(a, b);
    return result instanceof Failure ? result : checked(result);
  };
}

function add(args: readonly Value[], meter: Meter): Value | Failure | undefined {
  const [a, b] = args;
  if (typeof a === 'bigint' && typeof b === 'bigint') return checked(a + b);
  if (typeof a === 'string' && typeof b === 'string') {
    meter.charge((a.length + b.length) / lettersPerStep);
    return a + b;
  }
  if (isList(a) && isList(b)) {
    meter.charge((a.length + b.length) / 4);
    return [...a, ...b];
  }
  return undefined;
}

function ordered(holds: (order: number) => boolean): Implementation {
  return ([a = null, b = null], meter) => {
    const order = compare(a, b, meter);
    return order === undefined ? undefined : holds(order);
  };
}

function contains([value = null, range]: readonly Value[], meter: Meter): Value | Failure | undefined {
  if (isList(range)) return range.some((item) => isEqual(item, value, meter));
  if (!(range instanceof MapValue)) return undefined;
  const found = range.get(value);
  return found instanceof Failure ? found : found !== undefined;
}

function size([value]: readonly Value[], meter: Meter): Value | undefined {
  if (isList(value) || value instanceof Uint8Array) return BigInt(value.length);
  if (value instanceof MapValue) return BigInt(value.size);
  if (typeof value !== 'string') return undefined;
  meter.charge(value.length / lettersPerStep);
  return BigInt(lettersOf(value));
}

/** Letters are counted, not UTF-16 units. */
function lettersOf(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) count--;
  }
  return count;
}

/** Compiling takes some microseconds for each instruction of a pattern. */
const stepsOfInstruction = 50;

/** The pattern of a text. @throws CostExceeded when it takes too long to compile. */
export function compileText(text: string, meter: Meter): Pattern | Failure {
  meter.charge(text.length / lettersPerStep);
  meter.charge(patternSize(text) * stepsOfInstruction);
  const pattern: Pattern | PatternFault = compilePattern(text);
  return 'fault' in pattern ? new Failure(pattern.fault) : pattern;
}

/** A budget that ends in an exception. */
export const budgetOf = (meter: Meter) => ({
  spend(steps: number): boolean {
    meter.charge(steps);
    return true;
  },
});

function withPattern(
  use: (pattern: Pattern, text: string, limit: Value | undefined, meter: Meter) => Value,
): Implementation {
  return ([text, pattern, limit], meter) => {
    if (typeof text !== 'string' || typeof pattern !== 'string') return undefined;
    const compiled = compileText(pattern, meter);
    return compiled instanceof Failure ? compiled : use(compiled, text, limit, meter);
  };
}

const matches = withPattern((pattern, text, _, meter) => pattern.isIn(text, budgetOf(meter)));

function texts(run: (text: string, other: string) => boolean): Implementation {
  return ([a, b], meter) => {
    if (typeof a !== 'string' || typeof b !== 'string') return undefined;
    meter.charge(a.length / lettersPerStep);
    return run(a, b);
  };
}

/** Functions and operators that are everywhere, or that must be charged. */
export const standardFunctions: Readonly<Record<string, Implementation>> = {
  '_+_': add,
  '_-_': integers((a, b) => a - b),
  '_*_': integers((a, b) => a * b),
  '_/_': integers((a, b) => (b === 0n ? new Failure('division by zero') : a / b)),
  '_%_': integers((a, b) => (b === 0n ? new Failure('modulus by zero') : a % b)),
  '_==_': ([a = null, b = null], meter) => isEqual(a, b, meter),
  '_!=_': ([a = null, b = null], meter) => !isEqual(a, b, meter),
  '_<_': ordered((order) => order < 0),
  '_<=_': ordered((order) => order <= 0),
  '_>_': ordered((order) => order > 0),
  '_>=_': ordered((order) => order >= 0),
  '!_': ([a]) => (typeof a === 'boolean' ? !a : undefined),
  '@in': contains,
  size,
  matches,
  dyn: ([value = null]) => value,
  type: ([value = null]) => new TypeValue(nameOfValue(value)),
};

/** Members of texts that must be charged. */
export const textMembers: Readonly<Record<string, Implementation>> = {
  size,
  matches,
  contains: texts((text, other) => text.includes(other)),
  startsWith: texts((text, other) => text.startsWith(other)),
  endsWith: texts((text, other) => text.endsWith(other)),
  find: withPattern((pattern, text, _, meter) => pattern.findIn(text, 1, budgetOf(meter))[0] ?? ''),
  findAll: withPattern((pattern, text, limit, meter) => {
    const count = typeof limit === 'bigint' && limit >= 0n ? Number(limit) : Infinity;
    return pattern.findIn(text, count, budgetOf(meter));
  }),
};
