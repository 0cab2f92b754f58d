import type { Steps } from '../../base/index.ts';
import { decodeBody, decodeObject } from '../../machinery/codec/index.ts';
import { decodeProtobufBody, type ProtobufCompiler } from '../../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupVersion, type GroupVersionKind, type TypeCatalog } from '../../machinery/schema/index.ts';

/** Encodings that the bytes of an object may have. */
export type BodyFormat = 'json' | 'yaml' | 'protobuf';

/** An object to write: bytes from a client, or a value that a part of this process made. */
export type Body =
  | { readonly kind: 'bytes'; readonly bytes: Buffer; readonly format: BodyFormat }
  | { readonly kind: 'value'; readonly value: object };

/** Bytes of a body that a client sent. */
export const sizeOfBody = (body: Body): number => (body.kind === 'bytes' ? body.bytes.length : 0);

/**
 * The object of a body in canonical form, of exactly the expected kind and version, without defaults. It shares nothing
 * with the body.
 *
 * @throws StatusError 400 with release 1.20's text when the body is no such object.
 */
export type BodyDecoder = (body: Body, expected: GroupVersionKind) => Steps<ApiObject>;

/** What bodies are decoded with. */
export interface BodyDecoderOptions {
  readonly catalog: TypeCatalog;
  readonly dialect: Dialect;
  readonly protobuf: ProtobufCompiler;
  /** True for two versions, of one group or of several, that hold the same objects. */
  readonly isSameKind: (first: GroupVersionKind, second: GroupVersionKind) => boolean;
}

/** Makes the one decoder of all bodies, stored kinds' and others'. */
export function createBodyDecoder(options: BodyDecoderOptions): BodyDecoder {
  const { catalog, dialect, protobuf, isSameKind } = options;
  return function* (body, expected) {
    const decode = (value: unknown, ownsValue = false, text?: Buffer) =>
      decodeObject({ value, text, ownsValue, catalog, dialect, isSameKind, expected });
    if (body.kind === 'value') return decode(body.value);
    const { bytes, format } = body;
    if (format !== 'protobuf') {
      const parsed = decodeBody(bytes, format, expected.kind);
      yield;
      // What YAML names twice is one value at two places.
      return format === 'json' ? decode(parsed, true, bytes) : decode(parsed);
    }
    const value = decodeProtobufBody({ bytes, compiler: protobuf, expected });
    yield;
    const apiVersion = formatGroupVersion(expected.group, expected.version);
    const isExpected = value.kind === expected.kind && value.apiVersion === apiVersion;
    // A message of just this kind comes in canonical form, as the next step would give it: with metadata.
    return isExpected ? (value as unknown as ApiObject) : decode(value);
  };
}
