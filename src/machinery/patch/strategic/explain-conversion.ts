import { isJsonObject, ownValue } from '../../../base/index.ts';
import { base64FaultOffset, canonicalBase64 } from '../../go-values/index.ts';
import { type CompiledType, DecodeError, type TypeCatalog } from '../../schema/catalog.ts';
import { goTypeName, listElement, mapElement } from '../../schema/go-names.ts';
import { goTypeOfJson } from './go-text.ts';

export interface FailedConversion {
  /** The patched object. */
  readonly value: unknown;
  readonly type: CompiledType;
  readonly catalog: TypeCatalog;
  /** What the decoder said of it. */
  readonly decodeMessage: string;
}

/**
 * Why a strategically patched object does not fit its type, in the words of strategicpatch, which converts it there
 * without JSON text in between (the unstructured converter of release 1.20) and names no place.
 */
export function explainConversion({ value, type, catalog, decodeMessage }: FailedConversion): string {
  return structFault(value, type, catalog) ?? innermostReason(decodeMessage);
}

const unmarshalReason = /unmarshalerDecoder: (.*), error found in #/s;

/** Values with a reader of their own are refused in that reader's words, as in JSON. */
function innermostReason(decodeMessage: string): string {
  return unmarshalReason.exec(decodeMessage)?.[1] ?? decodeMessage;
}

function structFault(value: unknown, type: CompiledType, catalog: TypeCatalog): string | undefined {
  if (type.fields.length === 0) return ownFault(value, type, catalog);
  if (!isJsonObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
  const rows = catalog.find(type.name)?.f ?? [];
  for (const field of type.fields) {
    const found = ownValue(value, field.name);
    const textType = rows.find(({ n }) => n === field.name)?.e;
    const fault = faultOf(found, field.type, { catalog, textType });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Types without fields read themselves, or are lists with a name. */
function ownFault(value: unknown, type: CompiledType, catalog: TypeCatalog): string | undefined {
  if (/\.(?:ExtraValue|Verbs)$/.test(type.name)) return faultOf(value, 'list<string>', { catalog });
  try {
    type.decode(value);
    return undefined;
  } catch (error) {
    if (error instanceof DecodeError) return innermostReason(error.message);
    throw error;
  }
}

interface Types {
  readonly catalog: TypeCatalog;
  /** The type that texts have in Go, where it has a name of its own. */
  readonly textType?: string | undefined;
}

function faultOf(value: unknown, type: string, types: Types): string | undefined {
  if (value === undefined || value === null || type === 'any') return undefined;
  const item = listElement(type);
  if (item !== undefined) {
    return Array.isArray(value)
      ? firstFault(value, item, types)
      : `cannot restore slice from ${kindOf(value)}`;
  }
  const member = mapElement(type);
  if (member !== undefined) {
    return isJsonObject(value)
      ? firstFault(Object.values(value), member, types)
      : `cannot restore map from ${kindOf(value)}`;
  }
  if (type.includes('.')) return structFault(value, types.catalog.type(type), types.catalog);
  return scalarFault(value, type, types.textType);
}

function firstFault(values: readonly unknown[], type: string, types: Types): string | undefined {
  for (const value of values) {
    const fault = faultOf(value, type, types);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Why a value is no scalar of a type; undefined when it is one. */
export function scalarFault(value: unknown, type: string, textType = 'string'): string | undefined {
  const kind = kindOf(value);
  switch (type) {
    case 'bytes':
      return bytesFault(value, kind);
    case 'bool':
      return kind === 'bool' ? undefined : 'unrecognized type: bool';
    case 'string':
      if (kind === 'string') return undefined;
      return kind === 'int64'
        ? `cannot convert int64 to ${goTypeName(textType)}`
        : 'unrecognized type: string';
    case 'double':
      return kind === 'int64' || kind === 'float64' ? undefined : 'unrecognized type: float64';
    default:
      if (kind === 'int64') return undefined;
      return kind === 'float64' ? `cannot convert float64 to ${type}` : `unrecognized type: ${type}`;
  }
}

function bytesFault(value: unknown, kind: string): string | undefined {
  if (kind !== 'string') return kind === 'slice' ? undefined : `cannot restore slice from ${kind}`;
  const text = String(value);
  if (canonicalBase64(text) !== undefined) return undefined;
  return `error decoding from json: illegal base64 data at input byte ${base64FaultOffset(text)}`;
}

/** The value's Go kind. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  return isJsonObject(value) ? 'map' : goTypeOfJson(value);
}
