/**
 * What expressions can call: own functions first, which are charged for what they look at, then those of the library with a charge
 * for the size of their arguments.
 */
import {
  LibraryFault,
  type LibraryScalar,
  libraryCall,
  libraryItems,
  libraryList,
  libraryMap,
} from '../library.ts';
import type { Meter } from '../meter.ts';
import { lettersPerStep, nameOfValue } from '../operations.ts';
import { Failure, isList, MapValue, Opaque, Optional, TypeValue, type Value } from '../values.ts';
import { addressFunctions, addressMembers } from './addresses.ts';
import { authorizationMembers } from './authorization.ts';
import { collectionFunctions, collectionMembers } from './collections.ts';
import { extensionFunctions, extensionMembers } from './extensions.ts';
import { type Implementation, standardFunctions, textMembers } from './standard.ts';

export {
  type AccessDecision,
  type AccessQuestion,
  type AskAccess,
  AuthorizerValue,
} from './authorization.ts';
export { budgetOf, compileText } from './standard.ts';

const functions: Readonly<Record<string, readonly Implementation[]>> = merge(
  standardFunctions,
  collectionFunctions,
  extensionFunctions,
  addressFunctions,
);
const members: Readonly<Record<string, readonly Implementation[]>> = merge(
  textMembers,
  collectionMembers,
  extensionMembers,
  addressMembers,
  authorizationMembers,
);

function merge(...parts: ReadonlyArray<Readonly<Record<string, Implementation>>>) {
  const all: Record<string, Implementation[]> = {};
  for (const part of parts) {
    for (const [name, run] of Object.entries(part)) all[name] = [...(all[name] ?? []), run];
  }
  return all;
}

/** Calls a function, which may be overloaded. @throws CostExceeded */
export function createCall(
  name: string,
  count: number,
  isMember: boolean,
): (args: readonly Value[], meter: Meter) => Value | Failure {
  const table = isMember ? members : functions;
  const own = Object.hasOwn(table, name) ? (table[name] ?? []) : [];
  return (args, meter) => {
    meter.charge(1);
    for (const run of own) {
      const result = run(args, meter);
      if (result !== undefined) return result;
    }
    return callLibrary(name, args, { count, isMember, meter });
  };
}

/** A call of the library takes some microseconds. */
const stepsOfLibrary = 60;

interface LibraryArguments {
  readonly count: number;
  readonly isMember: boolean;
  readonly meter: Meter;
}

function callLibrary(
  name: string,
  args: readonly Value[],
  { count, isMember, meter }: LibraryArguments,
): Value | Failure {
  meter.charge(stepsOfLibrary);
  chargeGrowth(name, args, meter);
  const given: LibraryScalar[] = [];
  for (const arg of args) {
    const converted = toLibrary(arg, meter);
    if (converted === undefined) return noOverload(name, args);
    given.push(converted);
  }
  const result = libraryCall(name, count, isMember)(given);
  if (result instanceof LibraryFault) {
    return /overload|unbound function/.test(result.message)
      ? noOverload(name, args)
      : new Failure(result.message);
  }
  return fromLibrary(result, meter);
}

const noOverload = (name: string, args: readonly Value[]): Failure =>
  new Failure(`no such overload: ${name}(${args.map(nameOfValue).join(', ')})`);

/** The longest text that a call can make, before it makes it. */
function chargeGrowth(name: string, args: readonly Value[], meter: Meter): void {
  const [text, other, by] = args;
  if (name === 'replace' && typeof text === 'string' && typeof other === 'string' && typeof by === 'string') {
    meter.charge(((text.length / Math.max(1, other.length) + 1) * by.length) / lettersPerStep);
  }
  if (name === 'join' && isList(text) && typeof other === 'string') {
    meter.charge((text.length * other.length) / lettersPerStep);
  }
  if (name === 'format' && typeof text === 'string') {
    // A number may be asked for with so many digits.
    for (const [digits] of text.matchAll(/\d+/g)) meter.charge(Number(digits) / lettersPerStep);
  }
}

/** A value as the library has it; undefined for what it does not know. */
function toLibrary(value: Value, meter: Meter): LibraryScalar | undefined {
  if (typeof value === 'string') {
    meter.charge(value.length / lettersPerStep);
    return value;
  }
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  if (value instanceof Opaque || value instanceof Optional || value instanceof TypeValue) return undefined;
  if (isList(value)) {
    meter.charge(value.length);
    const items = value.flatMap((item) => toLibrary(item, meter) ?? (item === null ? [null] : []));
    return items.length === value.length ? libraryList(items) : undefined;
  }
  return value instanceof MapValue ? toLibraryMap(value, meter) : value;
}

function toLibraryMap(map: MapValue, meter: Meter): LibraryScalar | undefined {
  const entries = new Map<unknown, LibraryScalar>();
  for (const key of map.keys()) {
    meter.charge(1);
    const item = map.get(key);
    const converted = item === undefined || item instanceof Failure ? undefined : toLibrary(item, meter);
    if (converted === undefined) return undefined;
    entries.set(key, converted);
  }
  return libraryMap(entries);
}

/** No function that is called makes maps, nor lists of lists. */
function fromLibrary(value: LibraryScalar, meter: Meter): Value {
  if (typeof value === 'string') meter.charge(value.length / lettersPerStep);
  const items = libraryItems(value);
  if (items === undefined) return value;
  meter.charge(items.length);
  return items;
}
