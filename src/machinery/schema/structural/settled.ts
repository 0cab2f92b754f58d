import { isJsonObject, isRawNumber, ownValue } from '../../../base/index.ts';
import { isObjectField, type Structural } from './structural.ts';

/** What the definition says beside the schema. */
export interface SettledOptions {
  /** Unknown fields stay. */
  readonly preservesUnknownFields: boolean;
}

/**
 * True when an object has all that defaults and pruning would give it, so that neither would change it; found out in one pass
 * instead of theirs. False also where only they can tell: for embedded objects, and for null in lists.
 */
export function isSettled(object: unknown, schema: Structural, options: SettledOptions): boolean {
  if (schema.hasEmbedded || !isJsonObject(object) || lacksDefault(object, schema)) return false;
  for (const name in object) {
    const value = object[name];
    if (
      isObjectField(name)
        ? !isSettledField(value, schema.properties.get(name))
        : !fits(name, value, schema, options)
    )
      return false;
  }
  return true;
}

/** Of fields that every object has nothing is removed. What schemas may say of them is flat. */
function isSettledField(value: unknown, schema: Structural | undefined): boolean {
  if (schema === undefined) return true;
  if (value === null || schema.defaulted.length > 0 || schema.additional !== undefined) return false;
  for (const [name, property] of schema.properties) {
    if (property.properties.size > 0 || property.additional !== undefined || property.items !== undefined)
      return false;
    if (isJsonObject(value) && ownValue(value, name) === null) return false;
  }
  return true;
}

/** Whether a member, which an object has, stays as it is. */
function fits(name: string, value: unknown, schema: Structural, options: SettledOptions): boolean {
  const member = schema.properties.get(name) ?? schema.additional;
  if (member !== undefined)
    return value === null ? member.isNullable : isSettledValue(value, member, options);
  if (options.preservesUnknownFields) return true;
  // What may be anything loses what is in it.
  return schema.hasAdditional ? isScalar(value) : schema.keepsUnknown;
}

function isSettledValue(value: unknown, schema: Structural, options: SettledOptions): boolean {
  if (isScalar(value)) return true;
  if (!Array.isArray(value)) return isJsonObject(value) && areSettled(value, schema, options);
  const { items } = schema;
  for (const item of value) {
    if (isScalar(item) && item !== null) continue;
    if (items === undefined ? !options.preservesUnknownFields : !isSettledItem(item, items, options))
      return false;
  }
  return true;
}

/** A list keeps null, unless there is a default to take its place. */
const isSettledItem = (item: unknown, schema: Structural, options: SettledOptions): boolean =>
  item !== null && isSettledValue(item, schema, options);

function areSettled(object: Record<string, unknown>, schema: Structural, options: SettledOptions): boolean {
  if (lacksDefault(object, schema)) return false;
  for (const name in object) if (!fits(name, object[name], schema, options)) return false;
  return true;
}

function lacksDefault(object: Record<string, unknown>, schema: Structural): boolean {
  for (const { name } of schema.defaulted) if (ownValue(object, name) === undefined) return true;
  return false;
}

const isScalar = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || isRawNumber(value);
