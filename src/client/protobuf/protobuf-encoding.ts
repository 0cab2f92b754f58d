import { createTypeCatalog } from '../../apis/catalog.ts';
import { asJsonObject } from '../../base/index.ts';
import {
  createProtobufCompiler,
  decodeEnvelope,
  decodeWatchEvent,
  encodeEnvelope,
  type ProtobufCompiler,
} from '../../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import {
  DecodeError,
  type GroupVersionKind,
  parseGroupVersion,
  type TypeCatalog,
} from '../../machinery/schema/index.ts';
import type { ObjectEncoding } from '../rest/index.ts';
import { splitFrames } from './split-frames.ts';

/** Protobuf of the built-in types in that dialect's spelling. Types are compiled when they are first met. */
export function createProtobufEncoding(dialect: Dialect): ObjectEncoding {
  const catalog = createTypeCatalog(dialect);
  const compiler = createProtobufCompiler(catalog);
  const decode = (body: Buffer): unknown => decodeObject(body, compiler);
  return {
    contentType: dialect.protobufMediaType,
    accept: `${dialect.protobufMediaType}, application/json`,
    encode: (value) => encodeObject(value, catalog, compiler),
    decode,
    events: {
      split: splitFrames,
      decode(frame) {
        const { type, object } = decodeWatchEvent(frame);
        return { type, object: decode(object) };
      },
    },
  };
}

/** Undefined for kinds without such a form, and for objects that do not fit their type: the server shall say why. */
function encodeObject(value: unknown, catalog: TypeCatalog, compiler: ProtobufCompiler): Buffer | undefined {
  const { apiVersion, kind } = asJsonObject(value);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  const identity = identityOf(apiVersion, kind);
  const type = identity === undefined ? undefined : catalog.kind(identity);
  if (identity === undefined || type === undefined || !compiler.hasKind(identity)) return undefined;
  try {
    return encodeEnvelope({ apiVersion, kind }, compiler.kind(identity).encodeFramed(type.decode(value)));
  } catch (error) {
    if (error instanceof DecodeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** @throws ProtobufError for bytes that are none, NoProtobufFormError for a kind that this client does not know. */
function decodeObject(body: Buffer, compiler: ProtobufCompiler): unknown {
  const { apiVersion, kind, raw } = decodeEnvelope(body);
  const identity = identityOf(apiVersion, kind) ?? { group: '', version: apiVersion, kind };
  return compiler.kind(identity).decode(raw, { apiVersion, kind });
}

function identityOf(apiVersion: string, kind: string): GroupVersionKind | undefined {
  const parsed = parseGroupVersion(apiVersion);
  return parsed === undefined ? undefined : { ...parsed, kind };
}
