import { expectWire, readFields } from './fields.ts';
import { ProtobufError } from './protobuf-error.ts';
import { Reader } from './reader.ts';
import { wireBytes } from './wire.ts';

/** First bytes of every enveloped object, the same in both dialects. */
export const envelopeMagic: Buffer = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** Kind and version, as on the JSON object. */
export interface EnvelopeTypeMeta {
  readonly apiVersion: string;
  readonly kind: string;
}

/** A message with what says how to read it. */
export interface Envelope extends EnvelopeTypeMeta {
  /** The message; it shares memory with the bytes that it was read from. Empty when the envelope has none. */
  readonly raw: Buffer;
  /** Empty: none. */
  readonly contentEncoding: string;
  /** Empty: Protobuf. */
  readonly contentType: string;
}

/** Field number of the raw message in an envelope, and of the items in a list: one framing serves both. */
export const rawFieldNumber = 2;

/** The empty encoding and media type, which are always written. */
export const envelopeTail: Buffer = Buffer.from([0x1a, 0x00, 0x22, 0x00]);

/** A number as its bytes on the wire. */
function varintBytes(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  bytes.push(rest);
  return bytes;
}

function textField(fieldNumber: number, text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([fieldHeader(fieldNumber, bytes.length), bytes]);
}

/** What precedes the bytes of a field with a length: its tag and that length. */
export function fieldHeader(fieldNumber: number, byteLength: number): Buffer {
  return Buffer.from([...varintBytes(fieldNumber * 8 + wireBytes), ...varintBytes(byteLength)]);
}

/** The start of an envelope, magic included, up to the field of its raw message. */
export function envelopeHead({ apiVersion, kind }: EnvelopeTypeMeta): Buffer {
  const typeMeta = Buffer.concat([textField(1, apiVersion), textField(2, kind)]);
  return Buffer.concat([envelopeMagic, fieldHeader(1, typeMeta.length), typeMeta]);
}

/** An enveloped object: a response's body. `framed` is the message as `encodeFramed` gives it. */
export function encodeEnvelope(typeMeta: EnvelopeTypeMeta, framed: Uint8Array): Buffer {
  return Buffer.concat([envelopeHead(typeMeta), framed, envelopeTail]);
}

/** True when the bytes start like an enveloped object. */
export function hasEnvelope(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && envelopeMagic.equals(bytes.subarray(0, 4));
}

/**
 * Takes an envelope off, without reading the message in it.
 *
 * @throws ProtobufError in apimachinery's words: `empty data`, no prefix, `empty body`, not an envelope.
 */
export function decodeEnvelope(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!hasEnvelope(bytes)) {
    const prefix = [...envelopeMagic].join(' ');
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${prefix}]`,
    );
  }
  if (bytes.length === envelopeMagic.length) throw new ProtobufError('empty body');
  const input = new Reader(bytes);
  input.at = envelopeMagic.length;
  return readEnvelope(input);
}

const unknownFields = ['TypeMeta', 'Raw', 'ContentEncoding', 'ContentType'];

/** The fields of an envelope from the reader's place to its limit. */
function readEnvelope(input: Reader): Envelope {
  let typeMeta: EnvelopeTypeMeta = { apiVersion: '', kind: '' };
  let raw = input.bytes.subarray(0, 0);
  const texts = { contentEncoding: '', contentType: '' };
  readFields(input, {
    typeName: 'Unknown',
    take(_input, fieldNumber, wire, end) {
      const goName = unknownFields[fieldNumber - 1];
      if (goName === undefined) return false;
      expectWire(wire, wireBytes, goName);
      if (fieldNumber === 1) typeMeta = readTypeMeta(input, end, typeMeta);
      else if (fieldNumber === 2) raw = input.bytes.subarray(input.at, end);
      else texts[fieldNumber === 3 ? 'contentEncoding' : 'contentType'] = input.text(end);
      return true;
    },
  });
  return { ...typeMeta, raw, ...texts };
}

function readTypeMeta(input: Reader, end: number, known: EnvelopeTypeMeta): EnvelopeTypeMeta {
  const typeMeta = { ...known };
  input.limit = end;
  readFields(input, {
    typeName: 'TypeMeta',
    take(_input, fieldNumber, wire, valueEnd) {
      if (fieldNumber > 2) return false;
      expectWire(wire, wireBytes, fieldNumber === 1 ? 'APIVersion' : 'Kind');
      typeMeta[fieldNumber === 1 ? 'apiVersion' : 'kind'] = input.text(valueEnd);
      return true;
    },
  });
  return typeMeta;
}
