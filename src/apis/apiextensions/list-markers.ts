import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
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
const scalars: readonly string[] = ['boolean', 'integer', 'number', 'string'];

/** Adds the errors of what a schema says about how lists and maps are merged. */
export function validateListMarkers(
  errors: FieldError[],
  node: SchemaNode,
  path: FieldPath,
  names: ExtensionNames,
): void {
  const listType = node[names.listType] === undefined ? undefined : textAt(node, names.listType);
  validateMarker(errors, node, path, { field: names.mapType, type: 'object', allowed: mapTypes });
  validateMarker(errors, node, path, { field: names.listType, type: 'array', allowed: listTypes });
  const keys = textsAt(node, names.listMapKeys);
  if (keys.length > 0 && listType !== 'map') {
    const at = path.child(names.listType);
    const detail = `must be map if ${names.listMapKeys} is non-empty`;
    errors.push(listType === undefined ? required(at, detail) : invalidValue(at, listType, detail));
  }
  const items = schemaAt(node, 'items');
  if (listType === 'set' && items !== undefined) validateSetItems(errors, items, path.child('items'), names);
  if (listType === 'map') validateMapItems(errors, { items, keys, path, names });
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

/** Items of a set are compared as a whole. */
function validateSetItems(
  errors: FieldError[],
  items: SchemaNode,
  path: FieldPath,
  names: ExtensionNames,
): void {
  if (items.nullable === true) {
    const detail = `cannot be nullable when ${names.listType} is set`;
    errors.push(forbiddenField(path.child('nullable'), detail));
  }
  const type = textAt(items, 'type');
  if (type !== 'array' && type !== 'object') return;
  const field = type === 'array' ? names.listType : names.mapType;
  const value = items[field];
  // Lists are atomic when they do not say otherwise; maps are not.
  if (value === 'atomic' || (type === 'array' && value === undefined)) return;
  const detail = `must be atomic as item of a list with ${names.listType}=set`;
  errors.push(invalidValue(path.child(field), value ?? null, detail));
}

interface MapItems {
  readonly items: SchemaNode | undefined;
  readonly keys: readonly string[];
  readonly path: FieldPath;
  readonly names: ExtensionNames;
}

function validateMapItems(errors: FieldError[], { items, keys, path, names }: MapItems): void {
  const keysPath = path.child(names.listMapKeys);
  const itemsPath = path.child('items');
  if (keys.length === 0) errors.push(required(keysPath, `must not be empty if ${names.listType} is map`));
  if (items === undefined) {
    errors.push(required(itemsPath, `must have a schema if ${names.listType} is map`));
    return;
  }
  if (items.nullable === true) {
    const detail = `cannot be nullable when ${names.listType} is map`;
    errors.push(forbiddenField(itemsPath.child('nullable'), detail));
  }
  const type = textAt(items, 'type');
  if (type !== 'object') {
    const detail = `must be object if parent array's ${names.listType} is map`;
    errors.push(invalidValue(itemsPath.child('type'), type, detail));
  }
  const properties = schemaAt(items, 'properties') ?? {};
  const requiredKeys = textsAt(items, 'required');
  const shown = goStringList(keys);
  for (const key of keys) {
    const property = schemaAt(properties, key);
    if (property === undefined) {
      errors.push(invalidValue(keysPath, shown, 'entries must all be names of item properties'));
    } else {
      const isRequired = requiredKeys.includes(key);
      validateKey(errors, property, itemsPath.child('properties').key(key), { isRequired, names });
    }
  }
  if (new Set(keys).size < keys.length) {
    errors.push(invalidValue(keysPath, shown, 'must not contain duplicate entries'));
  }
}

function validateKey(
  errors: FieldError[],
  property: SchemaNode,
  path: FieldPath,
  { isRequired, names }: { readonly isRequired: boolean; readonly names: ExtensionNames },
): void {
  const type = textAt(property, 'type');
  if (type !== '' && !scalars.includes(type)) {
    const detail = `must be a scalar type if parent array's ${names.listType} is map`;
    errors.push(invalidValue(path.child('type'), type, detail));
  }
  const place = `this property is in ${names.listMapKeys}`;
  if (property.default === undefined && !isRequired) {
    errors.push(
      required(path.child('default'), `${place}, so it must have a default or be a required property`),
    );
  }
  if (property.nullable === true) {
    errors.push(forbiddenField(path.child('nullable'), `${place}, so it cannot be nullable`));
  }
}
