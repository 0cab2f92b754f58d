import { isJsonObject, type JsonObject } from '../../../base/index.ts';
import { isObjectField, type Structural } from './structural.ts';

/** Removes from an object, in place, what its schema does not name. The fields that every object has stay. */
export function pruneObject(object: JsonObject, schema: Structural): void {
  pruneMembers(object, schema, { isObject: true });
}

/** The same for any value, such as a default. */
export function pruneValue(value: unknown, schema: Structural | undefined): void {
  if (Array.isArray(value)) {
    if (schema?.keepsUnknown === true) keepItems(value, schema);
    else for (const item of value) pruneValue(item, schema?.items);
  } else if (isJsonObject(value)) {
    if (schema === undefined) for (const name in value) delete value[name];
    else pruneMembers(value, schema, { isObject: schema.isEmbedded });
  }
}

function pruneMembers(
  object: JsonObject,
  schema: Structural,
  { isObject }: { readonly isObject: boolean },
): void {
  const { properties, hasAdditional } = schema;
  for (const name in object) {
    if (isObject && isObjectField(name)) continue;
    const property = properties.get(name);
    if (property !== undefined) pruneValue(object[name], property);
    else if (hasAdditional) pruneValue(object[name], schema.additional);
    else if (!schema.keepsUnknown) delete object[name];
  }
}

/** Items of a list that keeps what is unknown are kept as well, and so on downwards through lists. */
function keepItems(list: readonly unknown[], schema: Structural): void {
  const { items } = schema;
  if (items === undefined) return;
  for (const item of list) {
    if (Array.isArray(item)) keepItems(item, items);
    else if (isJsonObject(item)) keepMembers(item, items);
  }
}

function keepMembers(object: JsonObject, schema: Structural): void {
  const { properties, hasAdditional, isEmbedded } = schema;
  for (const name in object) {
    if (isEmbedded && isObjectField(name)) continue;
    const property = properties.get(name);
    if (property !== undefined) pruneValue(object[name], property);
    else if (hasAdditional) pruneValue(object[name], schema.additional);
  }
}
