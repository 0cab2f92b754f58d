import {
  asJsonObject,
  isJsonObject,
  isRawNumber,
  type JsonObject,
  type RawNumber,
  setOwn,
} from '../../base/index.ts';
import { unmarshalerMessage } from '../../machinery/codec/index.ts';
import { beyondDoubles, isInteger, toDouble } from '../../machinery/go-values/index.ts';
import {
  type CompiledField,
  type CompiledType,
  DecodeError,
  type GroupVersionKind,
  hasSortedKeys,
  jsonKind,
  sortedKeys,
} from '../../machinery/schema/index.ts';

/** What the type of a custom kind is made from. */
export interface ObjectTypeOptions extends GroupVersionKind {
  /** Type of object metadata. */
  readonly metadata: CompiledType;
}

const field = (name: string, type: string): CompiledField => ({
  name,
  type,
  isPointer: false,
  omitsEmpty: true,
  isRequired: false,
  patchStrategies: [],
});

/**
 * The type of a custom kind: any JSON with the metadata of the API. In canonical form kind, version and metadata come first,
 * as in built-in kinds, and all else is sorted by name. Numbers are what they are in Go: whole ones of 64 bits keep their
 * digits, all others are doubles.
 */
export function createObjectType(options: ObjectTypeOptions): CompiledType {
  const { group, version, kind, metadata } = options;
  const decodeWith = (value: unknown, copy: (value: unknown) => unknown): Record<string, unknown> => {
    if (!isJsonObject(value)) {
      throw new DecodeError(
        `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`,
      );
    }
    const out: Record<string, unknown> = {
      kind: value.kind,
      apiVersion: value.apiVersion,
      metadata: metadata.decode(value.metadata ?? {}),
    };
    for (const key of sortedKeys(value)) {
      if (!Object.hasOwn(out, key)) setOwn(out, key, copy(value[key]));
    }
    return out;
  };
  const decode = (value: unknown) => decodeWith(value, canonicalValue);
  const type: CompiledType = {
    name: `${group}/${version}.${kind}`,
    fields: [field('kind', 'string'), field('apiVersion', 'string'), field('metadata', metadata.name)],
    isUnstructured: true,
    decode,
    canonicalize: decode,
    decodeShared: (value) => decodeWith(value, sharedCanonical),
    decodeLeniently: (value) => decodeLeniently(type, metadata, value),
  };
  return type;
}

/**
 * The object of a value whose metadata may have fields of a wrong type, which are dropped: they come from before metadata was
 * checked, or from a configuration.
 *
 * @throws DecodeError when the value is no JSON object.
 */
function decodeLeniently(
  type: CompiledType,
  metadata: CompiledType,
  value: unknown,
): Record<string, unknown> {
  try {
    return type.decode(value);
  } catch (error) {
    if (!(error instanceof DecodeError) || !isJsonObject(value)) throw error;
    const fields = Object.entries(asJsonObject(value.metadata)).filter(([name, item]) =>
      fits(metadata, name, item),
    );
    return type.decode({ ...value, metadata: Object.fromEntries(fields) });
  }
}

function fits(metadata: CompiledType, name: string, value: unknown): boolean {
  try {
    metadata.decode({ [name]: value });
    return true;
  } catch (error) {
    if (error instanceof DecodeError) return false;
    throw error;
  }
}

/** The members of an object of the API, which are its own. */
export function membersOf(object: object): JsonObject {
  if (isJsonObject(object)) return object;
  throw new TypeError('an object of the API is no list');
}

/** A copy of any JSON as Go's decoder and encoder leave it: names sorted, numbers whole ones of 64 bits or doubles. */
function canonicalValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalValue);
  if (isRawNumber(value)) return canonicalNumber(value);
  if (!isJsonObject(value)) return value === undefined ? null : value;
  const out: Record<string, unknown> = {};
  for (const name of sortedKeys(value)) {
    if (value[name] !== undefined) setOwn(out, name, canonicalValue(value[name]));
  }
  return out;
}

/** The same without a copy where the value is in canonical form already, or a part of it. */
function sharedCanonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value === undefined ? null : value;
  if (Array.isArray(value)) return sharedList(value);
  if (isRawNumber(value)) return canonicalNumber(value);
  if (!isJsonObject(value)) return value;
  return hasCanonicalOrder(value) ? sharedMembers(value) : sortedMembers(value);
}

function sharedList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const item = list[index];
    const shared = sharedCanonical(item);
    if (shared === item) continue;
    copy ??= [...list];
    copy[index] = shared;
  }
  return copy ?? list;
}

/** Of an object whose names are in order. */
function sharedMembers(object: JsonObject): JsonObject {
  let copy: JsonObject | undefined;
  for (const name in object) {
    const member = object[name];
    if (typeof member !== 'object' || member === null) continue;
    const shared = sharedCanonical(member);
    if (shared === member) continue;
    copy ??= { ...object };
    setOwn(copy, name, shared);
  }
  return copy ?? object;
}

function sortedMembers(object: JsonObject): JsonObject {
  const out: JsonObject = {};
  for (const name of sortedKeys(object)) {
    if (object[name] !== undefined) setOwn(out, name, sharedCanonical(object[name]));
  }
  return out;
}

/** Whether the names of an object are known to be in order, and none is without a value. */
function hasCanonicalOrder(object: JsonObject): boolean {
  if (!hasSortedKeys(object)) return false;
  for (const name in object) if (object[name] === undefined) return false;
  return true;
}

/** @throws DecodeError for a number beyond all doubles. */
function canonicalNumber(value: RawNumber): number | RawNumber {
  if (isInteger(value)) return value;
  const double = toDouble(value);
  if (Number.isFinite(double)) return double;
  throw new DecodeError(unmarshalerMessage(beyondDoubles(value.rawJSON)));
}
