import type { Meter } from '../meter.ts';
import { compare, isEqual, isLibraryValue, momentOf, numberOf } from '../operations.ts';
import { Failure, isList, MapValue, Optional, type Value } from '../values.ts';
import { type Implementation, standardFunctions } from './standard.ts';

function ofList(
  run: (list: readonly Value[], other: Value, meter: Meter) => Value | Failure | undefined,
): Implementation {
  return ([list, other = null], meter) => {
    if (!isList(list)) return undefined;
    meter.charge(list.length);
    return run(list, other, meter);
  };
}

function isSorted(list: readonly Value[], _: Value, meter: Meter): Value | undefined {
  for (const [at, item] of list.entries()) {
    if (at === 0) continue;
    const order = compare(list[at - 1] ?? null, item, meter);
    if (order === undefined) return undefined;
    if (order > 0) return false;
  }
  return true;
}

function extreme(name: string, wins: (order: number) => boolean): Implementation {
  return ofList((list, _, meter) => {
    let best = list[0];
    if (best === undefined) return new Failure(`${name} called on empty list`);
    for (const item of list) {
      const order = compare(item, best, meter);
      if (order === undefined) return undefined;
      if (wins(order)) best = item;
    }
    return best;
  });
}

function sum(list: readonly Value[], _: Value, meter: Meter): Value | Failure | undefined {
  const [first = 0n, ...others] = list;
  let total: Value = first;
  for (const item of others) {
    const next = addTwo(total, item, meter);
    if (next === undefined || next instanceof Failure) return next;
    total = next;
  }
  return total;
}

function addTwo(a: Value, b: Value, meter: Meter): Value | Failure | undefined {
  return typeof a === 'number' && typeof b === 'number' ? a + b : standardFunctions['_+_']?.([a, b], meter);
}

const hasAll = (of: readonly Value[], others: readonly Value[], meter: Meter): boolean =>
  others.every((other) => of.some((item) => isEqual(item, other, meter)));

function sets(run: (a: readonly Value[], b: readonly Value[], meter: Meter) => boolean): Implementation {
  return ([a, b], meter) => (isList(a) && isList(b) ? run(a, b, meter) : undefined);
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === '') return true;
  const number = numberOf(value);
  if (number !== undefined) return Number(number) === 0;
  if (isList(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof MapValue) return value.size === 0;
  return isLibraryValue(value) && momentOf(value)?.nanos === 0n;
}

/** Functions of lists as sets, and of values that may be missing. */
export const collectionFunctions: Readonly<Record<string, Implementation>> = {
  'sets.contains': sets(hasAll),
  'sets.equivalent': sets((a, b, meter) => hasAll(a, b, meter) && hasAll(b, a, meter)),
  'sets.intersects': sets((a, b, meter) => a.some((item) => b.some((other) => isEqual(item, other, meter)))),
  'optional.of': ([value = null]) => new Optional(value),
  'optional.ofNonZeroValue': ([value = null]) => (isZero(value) ? Optional.none : new Optional(value)),
  'optional.none': () => Optional.none,
};

/** Members of lists and of values that may be missing. */
export const collectionMembers: Readonly<Record<string, Implementation>> = {
  isSorted: ofList(isSorted),
  sum: ofList(sum),
  min: extreme('min', (order) => order < 0),
  max: extreme('max', (order) => order > 0),
  indexOf: ofList((list, wanted, meter) => BigInt(list.findIndex((item) => isEqual(item, wanted, meter)))),
  lastIndexOf: ofList((list, wanted, meter) =>
    BigInt(list.findLastIndex((item) => isEqual(item, wanted, meter))),
  ),
  hasValue: ([value]) => (value instanceof Optional ? value.value !== undefined : undefined),
  value([value]) {
    if (!(value instanceof Optional)) return undefined;
    return value.value === undefined ? new Failure('optional.none() dereference') : value.value;
  },
  orValue: ([value, other = null]) =>
    value instanceof Optional ? (value.value === undefined ? other : value.value) : undefined,
  or: ([value, other]) =>
    value instanceof Optional && other instanceof Optional
      ? value.value === undefined
        ? other
        : value
      : undefined,
};
