import { isJsonObject } from '../../base/index.ts';

/**
 * What a request said of a field of an object where the canonical form says less: an empty list or map that is left out, a
 * time with a fraction. Defaults and messages of release 1.20 tell such values from absent ones. It is known of the very
 * objects that were decoded, not of copies.
 */
const received = new WeakMap<object, Record<string, unknown>>();

/** Remembers the value of a field as the request had it. */
export function noteReceived(object: object, field: string, value: unknown): void {
  const fields = received.get(object);
  if (fields === undefined) received.set(object, { [field]: value });
  else fields[field] = value;
}

/** The value of a field as the request had it, if the canonical form says less; undefined otherwise. */
export const receivedValue = (object: object, field: string): unknown => received.get(object)?.[field];

/** True for a list or map that the request had, empty. */
export const wasGivenEmpty = (object: object, field: string): boolean => {
  const value = receivedValue(object, field);
  return typeof value === 'object' && value !== null;
};

/** True for a value in which the request had an empty list or map where the canonical form has null. */
export function hasGivenEmpties(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasGivenEmpties);
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const member = value[name];
    if (member === null ? wasGivenEmpty(value, name) : hasGivenEmpties(member)) return true;
  }
  return false;
}

/** Lets a copy of an object be known for what the object was. */
export function keepReceived(from: object, to: object): void {
  const fields = received.get(from);
  if (fields !== undefined) received.set(to, fields);
}

/** Lets a tree be known for what another was, object by object at the same place; lists are not looked into. */
export function keepReceivedWithin(from: object, to: object): void {
  keepReceived(from, to);
  const members = Object.entries(from);
  for (const [name, member] of members) {
    const other: unknown = Reflect.get(to, name);
    if (isJsonObject(member) && isJsonObject(other)) keepReceivedWithin(member, other);
  }
}
