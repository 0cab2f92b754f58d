import { type LibraryValue, libraryTypeName, uintOf } from './library.ts';
import type { Meter } from './meter.ts';
import { Failure, isList, MapValue, Opaque, Optional, TypeValue, typeName, type Value } from './values.ts';

/** Letters or bytes that are looked at per step, as cel-go counts them. */
export const lettersPerStep = 10;

/** The name of what a value is. */
export const nameOfValue = (value: Value): string => typeName(value, (other) => libraryTypeName(other));

/** Whether two values are the same; numbers of all kinds are by what they are worth. The meter is charged for what is looked at. */
export function isEqual(one: Value, other: Value, meter: Meter): boolean {
  meter.charge(1);
  if (one === null || other === null) return one === other;
  if (typeof one === 'string' && typeof other === 'string') {
    meter.charge(Math.min(one.length, other.length) / lettersPerStep);
    return one === other;
  }
  const [a, b] = [numberOf(one), numberOf(other)];
  // Numbers of two kinds are compared exactly; NaN is no number's equal.
  if (a !== undefined && b !== undefined) return a <= b && a >= b;
  if (typeof one !== 'object' || typeof other !== 'object') return one === other;
  if (isList(one)) {
    return (
      isList(other) &&
      one.length === other.length &&
      one.every((item, at) => isEqual(item, other[at] ?? null, meter))
    );
  }
  if (one instanceof MapValue) return other instanceof MapValue && isSameMap(one, other, meter);
  if (one instanceof Uint8Array) return other instanceof Uint8Array && isSameBytes(one, other, meter);
  if (one instanceof Opaque) return other instanceof Opaque && one.equals(other);
  if (one instanceof TypeValue) return other instanceof TypeValue && one.name === other.name;
  if (one instanceof Optional) {
    if (!(other instanceof Optional)) return false;
    const [here, there] = [one.value, other.value];
    if (here === undefined || there === undefined) return here === there;
    return isEqual(here, there, meter);
  }
  const [x, y] = [momentOf(one), momentOf(other)];
  return x !== undefined && y !== undefined && x.name === y.name && x.nanos === y.nanos;
}

function isSameMap(one: MapValue, other: MapValue, meter: Meter): boolean {
  if (one.size !== other.size) return false;
  return one.keys().every((key) => {
    const [here, there] = [one.get(key), other.get(key)];
    if (here === undefined || there === undefined) return false;
    if (here instanceof Failure || there instanceof Failure) return false;
    return isEqual(here, there, meter);
  });
}

function isSameBytes(one: Uint8Array, other: Uint8Array, meter: Meter): boolean {
  meter.charge(one.length / lettersPerStep);
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

/** What a number of any kind is worth; undefined for other values. */
export function numberOf(value: Value): bigint | number | undefined {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return isLibraryValue(value) ? uintOf(value) : undefined;
}

/** Whether only the library knows what a value is. */
export function isLibraryValue(value: Value): value is LibraryValue {
  return (
    typeof value === 'object' &&
    value !== null &&
    !isList(value) &&
    !(value instanceof MapValue) &&
    !(value instanceof Uint8Array) &&
    !(value instanceof Opaque) &&
    !(value instanceof Optional) &&
    !(value instanceof TypeValue)
  );
}

/** A time or a duration as nanoseconds. */
export function momentOf(value: Value): { readonly name: string; readonly nanos: bigint } | undefined {
  if (!isLibraryValue(value)) return undefined;
  const { message } = value;
  if (message === undefined) return undefined;
  return { name: libraryTypeName(value), nanos: message.seconds * 1_000_000_000n + BigInt(message.nanos) };
}

const order = (a: bigint | number, b: bigint | number): number =>
  a < b ? -1 : a > b ? 1 : a === b ? 0 : Number.NaN;

/** Below 0, 0 or above 0 for values that have an order; undefined for others. NaN has none. */
export function compare(one: Value, other: Value, meter: Meter): number | undefined {
  const [a, b] = [numberOf(one), numberOf(other)];
  if (a !== undefined && b !== undefined && typeof a !== typeof b) return order(Number(a), Number(b));
  if (a !== undefined && b !== undefined) return order(a, b);
  if (typeof one === 'string' && typeof other === 'string') {
    meter.charge(Math.min(one.length, other.length) / lettersPerStep);
    return one < other ? -1 : one > other ? 1 : 0;
  }
  if (typeof one === 'boolean' && typeof other === 'boolean') return Number(one) - Number(other);
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    meter.charge(Math.min(one.length, other.length) / lettersPerStep);
    return Buffer.compare(one, other);
  }
  const [x, y] = [momentOf(one), momentOf(other)];
  if (x === undefined || y === undefined || x.name !== y.name) return undefined;
  return x.nanos < y.nanos ? -1 : x.nanos > y.nanos ? 1 : 0;
}
