import { isJsonObject, setOwn } from '../../../base/index.ts';
import { copyJson } from '../json-text.ts';
import { Effort } from './findings.ts';
import type { Structural } from './structural.ts';

/**
 * Removes, in place, null where it is not allowed and no default takes its place (release 1.20: such a null counts as
 * absent). Items of lists stay, since the others would move.
 */
export function removeNulls(value: unknown, schema: Structural | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const item of value) removeNulls(item, schema.items);
  } else if (isJsonObject(value)) {
    for (const name in value) {
      const member = schema.member(name);
      if (member === undefined) continue;
      if (value[name] === null && !member.isNullable && member.default === undefined) delete value[name];
      else removeNulls(value[name], member);
    }
  }
}

/**
 * Sets, in place, the defaults of what is absent, and of null where it is not allowed. False when that would make an object
 * of a small one that nobody could store, or wait for: what was set until then stays.
 */
export function setDefaults(value: unknown, schema: Structural | undefined): boolean {
  const effort = new Effort();
  set(value, schema, effort);
  return !effort.isSpent;
}

function set(value: unknown, schema: Structural | undefined, effort: Effort): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) setInItems(value, schema, effort);
  else if (isJsonObject(value)) setInMembers(value, schema, effort);
}

const yields = (value: unknown, schema: Structural): boolean => value === null && !schema.isNullable;

/** A copy of a default; undefined when there were too many. */
const copyDefault = (schema: Structural, effort: Effort): unknown =>
  effort.spendOn(schema.default) ? copyJson(schema.default ?? null) : undefined;

function setInMembers(object: Record<string, unknown>, schema: Structural, effort: Effort): void {
  for (const { name, schema: property } of schema.defaulted) {
    if (Object.hasOwn(object, name) && !yields(object[name], property)) continue;
    const value = copyDefault(property, effort);
    if (value === undefined) return;
    setOwn(object, name, value);
  }
  for (const name in object) {
    const property = schema.properties.get(name);
    const member = property ?? schema.additional;
    if (member === undefined) continue;
    if (property === undefined && yields(object[name], member)) {
      const value = copyDefault(member, effort);
      if (value !== undefined) setOwn(object, name, value);
    }
    set(object[name], member, effort);
    if (effort.isSpent) return;
  }
}

function setInItems(list: unknown[], schema: Structural, effort: Effort): void {
  const { items } = schema;
  if (items === undefined) return;
  for (let index = 0; index < list.length; index++) {
    if (yields(list[index], items)) {
      const value = copyDefault(items, effort);
      if (value !== undefined) list[index] = value;
    }
    set(list[index], items, effort);
    if (effort.isSpent) return;
  }
}
