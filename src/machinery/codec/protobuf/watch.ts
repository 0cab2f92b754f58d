import { fieldHeader } from './envelope.ts';
import { expectWire, readFields, readOnlyField } from './fields.ts';
import { ProtobufError } from './protobuf-error.ts';
import { Reader } from './reader.ts';
import { wireBytes } from './wire.ts';

/** What happened to an object that is watched. */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

const lengthBytes = 4;

/**
 * One frame of a watch in Protobuf (`;stream=watch`): its length in four bytes, most significant first, then
 * the event, which has no envelope, with the object, which has one (`encodeEnvelope`).
 */
export function encodeWatchFrame(type: WatchEventType, envelope: Uint8Array): Buffer {
  const typeBytes = Buffer.from(type);
  const typeHeader = fieldHeader(1, typeBytes.length);
  const rawHeader = fieldHeader(1, envelope.length);
  const objectHeader = fieldHeader(2, rawHeader.length + envelope.length);
  const parts = [typeHeader, typeBytes, objectHeader, rawHeader, envelope];
  const length = Buffer.allocUnsafe(lengthBytes);
  length.writeUInt32BE(parts.reduce((sum, part) => sum + part.length, 0));
  return Buffer.concat([length, ...parts]);
}

/** An event of a watch; the object is still enveloped (`decodeEnvelope`). */
export interface WatchFrame {
  /** Usually a `WatchEventType`; what the peer says. */
  readonly type: string;
  /** Shares memory with the bytes that it was read from. */
  readonly object: Buffer;
}

/** Reads the event of one frame, without its length. @throws ProtobufError when it is none. */
export function decodeWatchEvent(bytes: Uint8Array): WatchFrame {
  const input = new Reader(bytes);
  let type = '';
  let object = input.bytes.subarray(0, 0);
  readFields(input, {
    typeName: 'WatchEvent',
    take(_input, fieldNumber, wire, end) {
      if (fieldNumber > 2) return false;
      expectWire(wire, wireBytes, fieldNumber === 1 ? 'Type' : 'Object');
      if (fieldNumber === 1) type = input.text(end);
      else object = readRaw(input, end) ?? object;
      return true;
    },
  });
  return { type, object };
}

function readRaw(input: Reader, end: number): Buffer | undefined {
  let raw: Buffer | undefined;
  const rawField = { typeName: 'RawExtension', goName: 'Raw', wire: wireBytes } as const;
  readOnlyField(input, end, rawField, (valueEnd) => {
    raw = input.bytes.subarray(input.at, valueEnd);
  });
  return raw;
}

/**
 * Cuts what has come of a watch into whole frames and the rest to put before what comes next. Frames share
 * memory with the bytes given.
 *
 * @throws ProtobufError when a frame is longer than `maxFrameBytes`.
 */
export function splitWatchFrames(bytes: Buffer, maxFrameBytes: number): { frames: Buffer[]; rest: Buffer } {
  const frames: Buffer[] = [];
  let at = 0;
  while (bytes.length - at >= lengthBytes) {
    const length = bytes.readUInt32BE(at);
    if (length > maxFrameBytes) {
      throw new ProtobufError(`watch frame is too long: ${length} bytes, at most ${maxFrameBytes}`);
    }
    const end = at + lengthBytes + length;
    if (end > bytes.length) break;
    frames.push(bytes.subarray(at + lengthBytes, end));
    at = end;
  }
  return { frames, rest: bytes.subarray(at) };
}
