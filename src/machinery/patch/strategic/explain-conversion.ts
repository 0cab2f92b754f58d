import { isJsonObject, ownValue } from '../../../base/index.ts';
import type { CompiledType, TypeCatalog } from '../../schema/catalog.ts';
import { listElement, mapElement } from '../../schema/go-names.ts';
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
const base64Reason = /illegal base64 data at input byte \d+/;

/** Values with a reader of their own are refused in that reader's words, as in JSON. */
function innermostReason(decodeMessage: string): string {
  const base64 = base64Reason.exec(decodeMessage)?.[0];
  if (base64 !== undefined) return `error decoding from json: ${base64}`;
  return unmarshalReason.exec(decodeMessage)?.[1] ?? decodeMessage;
}

function structFault(value: unknown, type: CompiledType, catalog: TypeCatalog): string | undefined {
  // Types without fields have readers of their own.
  if (type.fields.length === 0) return undefined;
  if (!isJsonObject(value)) return `cannot restore struct from: ${kindOf(value)}`;
  for (const field of type.fields) {
    const fault = faultOf(ownValue(value, field.name), field.type, catalog);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOf(value: unknown, type: string, catalog: TypeCatalog): string | undefined {
  if (value === undefined || value === null || type === 'any') return undefined;
  const item = listElement(type);
  if (item !== undefined) {
    return Array.isArray(value)
      ? firstFault(value, item, catalog)
      : `cannot restore slice from ${kindOf(value)}`;
  }
  const member = mapElement(type);
  if (member !== undefined) {
    return isJsonObject(value)
      ? firstFault(Object.values(value), member, catalog)
      : `cannot restore map from ${kindOf(value)}`;
  }
  return type.includes('.') ? structFault(value, catalog.type(type), catalog) : scalarFault(value, type);
}

function firstFault(values: readonly unknown[], type: string, catalog: TypeCatalog): string | undefined {
  for (const value of values) {
    const fault = faultOf(value, type, catalog);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function scalarFault(value: unknown, type: string): string | undefined {
  const kind = kindOf(value);
  switch (type) {
    case 'bytes':
      return kind === 'string' || kind === 'slice' ? undefined : `cannot restore slice from ${kind}`;
    case 'bool':
      return kind === 'bool' ? undefined : 'unrecognized type: bool';
    case 'string':
      if (kind === 'string') return undefined;
      return kind === 'int64' ? 'cannot convert int64 to string' : 'unrecognized type: string';
    case 'double':
      return kind === 'int64' || kind === 'float64' ? undefined : 'unrecognized type: float64';
    default:
      if (kind === 'int64') return undefined;
      return kind === 'float64' ? `cannot convert float64 to ${type}` : `unrecognized type: ${type}`;
  }
}

/** The value's Go kind. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  return isJsonObject(value) ? 'map' : goTypeOfJson(value);
}
