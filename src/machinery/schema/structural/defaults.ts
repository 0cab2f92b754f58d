import { isJsonObject, setOwn } from '../../../base/index.ts';
import { copyJson } from '../json-text.ts';
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

/** Sets, in place, the defaults of what is absent, and of null where it is not allowed. */
export function setDefaults(value: unknown, schema: Structural | undefined): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) setItemDefaults(value, schema);
  else if (isJsonObject(value)) setMemberDefaults(value, schema);
}

const yields = (value: unknown, schema: Structural): boolean => value === null && !schema.isNullable;

function setMemberDefaults(object: Record<string, unknown>, schema: Structural): void {
  for (const [name, property] of schema.properties) {
    if (property.default === undefined || property.default === null) continue;
    if (!Object.hasOwn(object, name) || yields(object[name], property)) {
      setOwn(object, name, copyJson(property.default));
    }
  }
  for (const name in object) {
    const property = schema.properties.get(name);
    const member = property ?? schema.additional;
    if (member === undefined) continue;
    if (property === undefined && yields(object[name], member)) {
      setOwn(object, name, copyJson(member.default ?? null));
    }
    setDefaults(object[name], member);
  }
}

function setItemDefaults(list: unknown[], schema: Structural): void {
  const { items } = schema;
  if (items === undefined) return;
  for (let index = 0; index < list.length; index++) {
    if (yields(list[index], items)) list[index] = copyJson(items.default ?? null);
    setDefaults(list[index], items);
  }
}
