import { limits } from './limits.ts';

/** Frames that have a meaning here. Source: SPDY protocol, draft 3.1, section 2.6. */
export const frameTypes = { synStream: 1, synReply: 2, rstStream: 3, ping: 6, goAway: 7 } as const;

/** Flag of the last frame of a stream in one direction. */
const finFlag = 0x01;

const version = 3;
const headBytes = 8;
const controlBit = 0x80;

/** A frame as it came. */
export type Frame =
  | { readonly kind: 'data'; readonly streamId: number; readonly isLast: boolean; readonly bytes: Buffer }
  | { readonly kind: 'control'; readonly type: number; readonly isLast: boolean; readonly bytes: Buffer };

/** Status of a stream that is not accepted, and of one that is given up (section 2.6.3). */
export const resetStatus = { refused: 3, cancel: 5 } as const;

/** Frames with bytes of a stream, each within the limit. */
export function dataFrames(streamId: number, bytes: Buffer): Buffer[] {
  const frames: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += limits.maxSentBytes) {
    frames.push(dataFrame(streamId, bytes.subarray(start, start + limits.maxSentBytes)));
  }
  return frames;
}

/** A frame with bytes of a stream. */
export function dataFrame(streamId: number, bytes: Buffer, { isLast = false } = {}): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt32BE((isLast ? finFlag << 24 : 0) + bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

/** Opens a stream. `block` is its compressed headers. */
export function synStreamFrame(streamId: number, block: Buffer): Buffer {
  const ids = Buffer.alloc(10); // stream, associated stream, priority and slot
  ids.writeUInt32BE(streamId, 0);
  return controlFrame(frameTypes.synStream, Buffer.concat([ids, block]));
}

/** Accepts a stream. `block` is the compressed headers of the reply. */
export function synReplyFrame(streamId: number, block: Buffer): Buffer {
  const id = Buffer.alloc(4);
  id.writeUInt32BE(streamId);
  return controlFrame(frameTypes.synReply, Buffer.concat([id, block]));
}

/** Says that no more streams are taken after the last one (section 2.6.6). */
export function goAwayFrame(lastStreamId: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(lastStreamId);
  return controlFrame(frameTypes.goAway, body);
}

/** Ends a stream in both directions. */
export function rstStreamFrame(streamId: number, status: number): Buffer {
  const body = Buffer.alloc(8);
  body.writeUInt32BE(streamId, 0);
  body.writeUInt32BE(status, 4);
  return controlFrame(frameTypes.rstStream, body);
}

/** Control frame of any type. */
export function controlFrame(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE((controlBit << 8) | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** Cuts what arrives into frames. */
export class FrameReader {
  #pending = Buffer.alloc(0);
  /** Bytes that a frame still needs before it is worth looking at what came. */
  #parts: Buffer[] = [];
  #partsBytes = 0;
  #neededBytes = headBytes;

  /** Takes bytes and returns the frames that are complete now. @throws RangeError for what is too large, or no frame of this version */
  push(chunk: Buffer): readonly Frame[] {
    this.#parts.push(chunk);
    this.#partsBytes += chunk.length;
    if (this.#pending.length + this.#partsBytes < this.#neededBytes) return [];
    this.#pending = Buffer.concat([this.#pending, ...this.#parts]);
    this.#parts = [];
    this.#partsBytes = 0;
    const frames: Frame[] = [];
    let start = 0;
    for (;;) {
      const sizeBytes = frameSize(this.#pending, start);
      this.#neededBytes = sizeBytes;
      if (this.#pending.length - start < sizeBytes) break;
      frames.push(readFrame(this.#pending.subarray(start, start + sizeBytes)));
      start += sizeBytes;
    }
    this.#pending = this.#pending.subarray(start);
    return frames;
  }
}

function frameSize(bytes: Buffer, start: number): number {
  if (bytes.length - start < headBytes) return headBytes;
  const size = bytes.readUIntBE(start + 5, 3);
  if (size > limits.maxFrameBytes) throw new RangeError(`a frame of ${size} bytes`);
  return headBytes + size;
}

function readFrame(frame: Buffer): Frame {
  const isLast = ((frame[4] ?? 0) & finFlag) !== 0;
  const bytes = frame.subarray(headBytes);
  if (((frame[0] ?? 0) & controlBit) === 0) {
    return { kind: 'data', streamId: frame.readUInt32BE(0), isLast, bytes };
  }
  if ((frame.readUInt16BE(0) & 0x7fff) !== version) throw new RangeError('a frame of another protocol');
  return { kind: 'control', type: frame.readUInt16BE(2), isLast, bytes };
}
