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
import { type ObjectEncoding, TransportError } from '../rest/index.ts';

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

/** A frame above this is no event of this API. */
const maxFrameBytes = 64 * 1024 * 1024;
const lengthBytes = 4;

/**
 * Cuts a stream into frames, each behind its length in four bytes, most significant first. Bytes are copied at most
 * once, in however many pieces a frame comes.
 *
 * @throws TransportError (`protocol`) for a frame that is too long, or that ends early.
 */
export async function* splitFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  // What must be there before anything can be cut: a length, or a length and its frame.
  let wantedBytes = lengthBytes;
  for await (const chunk of chunks) {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < wantedBytes) continue;
    let rest = pending.length === 1 ? chunk : Buffer.concat(pending, pendingBytes);
    for (wantedBytes = wantedFrom(rest); rest.length >= wantedBytes; wantedBytes = wantedFrom(rest)) {
      // With a length and its frame there, this is a whole frame; a bare length asks for more than it has.
      yield rest.subarray(lengthBytes, wantedBytes);
      rest = rest.subarray(wantedBytes);
    }
    pending = rest.length === 0 ? [] : [rest];
    pendingBytes = rest.length;
  }
  if (pendingBytes > 0) throw broken('it ends inside an event');
}

/** Bytes of the first frame with its length; of a length only, while that is not whole. */
function wantedFrom(bytes: Buffer): number {
  if (bytes.length < lengthBytes) return lengthBytes;
  const frameBytes = bytes.readUInt32BE(0);
  if (frameBytes > maxFrameBytes) throw broken(`an event of ${frameBytes} bytes is too long`);
  return lengthBytes + frameBytes;
}

const broken = (detail: string): TransportError =>
  new TransportError('protocol', `unable to decode an event from the watch stream: ${detail}`, { host: '' });

/**
 * The encoding of a content type, as flags name it; undefined for JSON, which clients speak without one.
 *
 * @throws RangeError for others.
 */
export function createEncoding(contentType: string, dialect: Dialect): ObjectEncoding | undefined {
  if (contentType === '' || contentType === 'application/json') return undefined;
  if (contentType === dialect.protobufMediaType) return createProtobufEncoding(dialect);
  throw new RangeError(
    `unknown content type ${JSON.stringify(contentType)}: application/json and ${dialect.protobufMediaType} are known`,
  );
}
