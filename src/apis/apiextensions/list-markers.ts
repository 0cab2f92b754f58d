import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooMany,
  VerbatimValue,
} from '../../machinery/errors/index.ts';
import {
  type ExtensionNames,
  type SchemaNode,
  schemaAt,
  textAt,
  textsAt,
} from '../../machinery/schema/structural/index.ts';
import { goStringList } from '../validation/index.ts';

const listTypes: readonly string[] = ['atomic', 'set', 'map'];
const mapTypes: readonly string[] = ['atomic', 'granular'];

/** Fields that tell the items of a list apart; real lists have one to four. */
const maxMapKeys = 256;

/** Adds the errors of what a schema says about how lists and maps are merged. */
export function validateListMarkers(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { names, requiresAtomicSets, requiresMapKeys }: MarkerRules,
): void {
  const listType = node[names.listType] === undefined ? undefined : textAt(node, names.listType);
  validateMarker(errors, node, path, { field: names.mapType, type: 'object', allowed: mapTypes });
  // Only what is a list is asked for its items.
  if (requiresAtomicSets && textAt(node, 'type') === 'array') {
    errors.push(...atomicSetErrors(node, path, names));
  }
  validateMarker(errors, node, path, { field: names.listType, type: 'array', allowed: listTypes });
  const keys = textsAt(node, names.listMapKeys);
  if (keys.length > 0 && listType !== 'map') {
    const at = path.child(names.listType);
    const detail = `must be map if ${names.listMapKeys} is non-empty`;
    errors.push(listType === undefined ? required(at, detail) : invalidValue(at, listType, detail));
  }
  if (listType === 'map') validateMapItems(errors, node, path, { keys, names });
  if (requiresMapKeys) errors.push(...mapKeyErrors(node, path, names));
}

/** Which of the later rules hold: what was stored before them may stay. */
interface MarkerRules {
  readonly names: ExtensionNames;
  readonly requiresAtomicSets: boolean;
  readonly requiresMapKeys: boolean;
}

function validateMarker(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  marker: { readonly field: string; readonly type: string; readonly allowed: readonly string[] },
): void {
  const value = node[marker.field];
  if (value === undefined) return;
  const type = textAt(node, 'type');
  if (type !== marker.type) {
    const detail = `must be ${marker.type} if ${marker.field} is specified`;
    const at = path.child('type');
    errors.push(type === '' ? required(at, detail) : invalidValue(at, type, detail));
  }
  if (!marker.allowed.includes(String(value))) {
    errors.push(notSupported(path.child(marker.field), value, marker.allowed));
  }
}

/** Errors of the items of a set, which are compared as a whole. */
export function atomicSetErrors(node: SchemaNode, path: FieldPath, names: ExtensionNames): FieldError[] {
  const items = schemaAt(node, 'items');
  if (node[names.listType] !== 'set' || items === undefined) return [];
  const type = textAt(items, 'type');
  if (type !== 'array' && type !== 'object') return [];
  const field = type === 'array' ? names.listType : names.mapType;
  const value = items[field];
  // Lists are atomic when they do not say otherwise; maps are not.
  if (value === 'atomic' || (type === 'array' && value === undefined)) return [];
  const detail = `must be atomic as item of a list with ${names.listType}=set`;
  // Release 1.20 shows the type of lists where it means that of maps.
  return [invalidValue(path.child('items', field), items[names.listType] ?? null, detail)];
}

interface MapKeys {
  readonly keys: readonly string[];
  readonly names: ExtensionNames;
}

function validateMapItems(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  { keys, names }: MapKeys,
): void {
  const keysPath = path.child(names.listMapKeys);
  const itemsPath = path.child('items');
  if (keys.length === 0) errors.push(required(keysPath, `must not be empty if ${names.listType} is map`));
  if (Array.isArray(node.items)) {
    const shown = new VerbatimValue(JSON.stringify(node.items));
    errors.push(invalidValue(itemsPath, shown, `must only have a single schema if ${names.listType} is map`));
    return;
  }
  const items = schemaAt(node, 'items');
  if (items === undefined) {
    errors.push(required(itemsPath, `must have a schema if ${names.listType} is map`));
    return;
  }
  const type = textAt(items, 'type');
  if (type !== 'object') {
    const detail = `must be object if parent array's ${names.listType} is map`;
    errors.push(invalidValue(itemsPath.child('type'), type, detail));
    return;
  }
  const properties = schemaAt(items, 'properties') ?? {};
  if (keys.length > maxMapKeys) {
    // Each wrong one would be told of with all of them.
    errors.push(tooMany(keysPath, keys.length, maxMapKeys));
    return;
  }
  const shown = goStringList(keys);
  for (const [at, key] of keys.entries()) {
    const property = schemaAt(properties, key);
    if (property === undefined) {
      errors.push(invalidValue(keysPath, shown, 'entries must all be names of item properties'));
    } else if (['array', 'object'].includes(textAt(property, 'type'))) {
      const detail = `must be a scalar type if parent array's ${names.listType} is map`;
      // Release 1.20 shows the type of the items here.
      errors.push(invalidValue(itemsPath.child('properties').key(key).child('type'), type, detail));
    }
    if (keys.indexOf(key) < at)
      errors.push(invalidValue(keysPath, shown, 'must not contain duplicate entries'));
  }
}

/** Errors of items that may be null, and of keys of items that may be missing. */
export function mapKeyErrors(node: SchemaNode, path: FieldPath, names: ExtensionNames): FieldError[] {
  const items = schemaAt(node, 'items');
  const listType = node[names.listType];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  const itemsPath = path.child('items');
  if (items.nullable === true) {
    const detail = `cannot be nullable when ${names.listType} is ${listType}`;
    errors.push(forbiddenField(itemsPath.child('nullable'), detail));
  }
  if (listType === 'set') return errors;
  const requiredKeys = textsAt(items, 'required');
  for (const key of textsAt(node, names.listMapKeys)) {
    const property = schemaAt(schemaAt(items, 'properties') ?? {}, key);
    if (property === undefined) continue;
    const at = itemsPath.child('properties').key(key);
    const place = `this property is in ${names.listMapKeys}`;
    if (property.default === undefined && !requiredKeys.includes(key)) {
      const detail = `${place}, so it must have a default or be a required property`;
      errors.push(required(at.child('default'), detail));
    }
    if (property.nullable === true) {
      errors.push(forbiddenField(at.child('nullable'), `${place}, so it cannot be nullable`));
    }
  }
  return errors;
}
