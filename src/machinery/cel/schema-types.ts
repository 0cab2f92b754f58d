import { isJsonObject, type JsonObject } from '../../base/index.ts';
import type { Dialect } from '../dialect.ts';
import { extensionNames } from '../schema/structural/index.ts';
import { maxRequestSize } from './estimate.ts';
import { escapeName } from './json-values.ts';
import {
  bool,
  type CelType,
  dyn,
  int,
  listOf,
  mapOf,
  type ObjectType,
  type SimpleName,
  simpleType,
  string,
} from './types.ts';

/** Types by `format` of texts, and how long their values are. */
const formats: Readonly<Record<string, readonly [name: SimpleName, size: number]>> = {
  byte: ['bytes', maxRequestSize],
  date: ['timestamp', 1],
  'date-time': ['timestamp', 1],
  duration: ['duration', 1],
};

/** Metadata of objects, of which expressions may read no more than this. Source: apiextensions, `schema/cel/model`. */
const metadata: ObjectType = objectType('metadata', { name: string, generateName: string });
const root: Readonly<Record<string, CelType>> = { apiVersion: string, kind: string, metadata };

/**
 * The type of what a structural schema describes; undefined where values have no type that an expression could rely on: fields that
 * may be anything are not seen by it.
 */
export function schemaType(schema: unknown, dialect: Dialect, isRoot = false): CelType | undefined {
  if (!isJsonObject(schema)) return undefined;
  const names = extensionNames(dialect);
  if (schema[names.intOrString] === true) return dyn;
  switch (schema.type) {
    case 'array':
      return listType(schema, dialect);
    case 'object':
      return structureType(schema, dialect, isRoot || schema[names.embedded] === true);
    case 'boolean':
      return bool;
    case 'integer':
      return int;
    case 'number':
      return simpleType('double');
    case 'string':
      return textType(schema);
    default:
      return undefined;
  }
}

/** How the values of a schema are seen for warnings, which must not tell of what may well be there. */
export interface OpenSchemaOptions {
  readonly dialect: Dialect;
  /** Of objects and embedded objects. */
  readonly metadata: CelType;
}

/** The type of the objects of a structural schema, of which all metadata is seen and anything else that it leaves open. */
export const openSchemaType = (schema: unknown, { dialect, metadata }: OpenSchemaOptions): CelType =>
  openType(schema, { dialect, metadata }, true);

function openType(schema: unknown, options: OpenSchemaOptions, isRoot = false): CelType {
  const type = schemaType(schema, options.dialect, isRoot);
  if (!isJsonObject(schema) || type === undefined) return dyn;
  if (type.kind === 'list') return listOf(openType(schema.items, options));
  if (type.kind === 'map') return mapOf(string, openType(schema.additionalProperties, options));
  if (type.kind !== 'object') return type.kind === 'simple' && hasOwnForm(type.name) ? string : type;
  const { properties } = schema;
  const names = extensionNames(options.dialect);
  const isOpen = schema[names.preserve] === true || !isJsonObject(properties);
  const declared = isJsonObject(properties) ? properties : {};
  const isResource = isRoot || schema[names.embedded] === true;
  return {
    ...type,
    field(name) {
      if (isResource && name === 'metadata') return options.metadata;
      if (Object.hasOwn(declared, name)) return openType(declared[name], options);
      return type.field(name) ?? (isOpen ? dyn : undefined);
    },
  };
}

/** Policies see objects as they are written: times and bytes are texts. */
const hasOwnForm = (name: SimpleName): boolean =>
  name === 'timestamp' || name === 'duration' || name === 'bytes';

const limitOf = (schema: JsonObject, name: string): number | undefined =>
  typeof schema[name] === 'number' ? schema[name] : undefined;

/** The shortest that a value of a schema can be as JSON: what bounds how many of them are in a request. */
function leastSize(schema: unknown): number {
  const type = isJsonObject(schema) ? schema.type : undefined;
  return type === 'string' || type === 'object' || type === 'array' ? 3 : 2;
}

function listType(schema: JsonObject, dialect: Dialect): CelType | undefined {
  const element = schemaType(schema.items, dialect);
  if (element === undefined) return undefined;
  return listOf(element, limitOf(schema, 'maxItems') ?? maxRequestSize / leastSize(schema.items));
}

function textType(schema: JsonObject): CelType {
  const format =
    typeof schema.format === 'string' && Object.hasOwn(formats, schema.format)
      ? formats[schema.format]
      : undefined;
  if (format !== undefined) {
    const [name, size] = format;
    return { kind: 'simple', name, maxSize: limitOf(schema, 'maxLength') ?? size };
  }
  const longest = Array.isArray(schema.enum)
    ? Math.max(0, ...schema.enum.map((value) => String(value).length))
    : undefined;
  return {
    kind: 'simple',
    name: 'string',
    maxSize: limitOf(schema, 'maxLength') ?? longest ?? maxRequestSize,
  };
}

function structureType(schema: JsonObject, dialect: Dialect, isResource: boolean): CelType | undefined {
  const { additionalProperties, properties } = schema;
  if (isJsonObject(additionalProperties)) {
    const value = schemaType(additionalProperties, dialect);
    if (value === undefined) return undefined;
    return mapOf(
      string,
      value,
      limitOf(schema, 'maxProperties') ?? maxRequestSize / (4 + leastSize(additionalProperties)),
    );
  }
  const declared = isJsonObject(properties) ? properties : {};
  const known = new Map<string, CelType | undefined>();
  const byName = new Map(
    Object.keys(declared).flatMap((name) => {
      const escaped = escapeName(name);
      return escaped === undefined ? [] : [[escaped, name] as const];
    }),
  );
  return {
    kind: 'object',
    name: 'object',
    field(name) {
      if (isResource && Object.hasOwn(root, name)) return root[name];
      const original = byName.get(name);
      if (original === undefined) return undefined;
      // Made when an expression names it: schemas are large.
      if (!known.has(name)) known.set(name, schemaType(declared[original], dialect));
      return known.get(name);
    },
  };
}

/** A structure of fixed fields. */
export function objectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return {
    kind: 'object',
    name,
    field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
  };
}
