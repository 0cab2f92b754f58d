import { constants, createInflate, type Inflate } from 'node:zlib';
import words from './spdy-dictionary.json' with { type: 'json' };

/** Numbers of the protocol's control frames (SPDY/3.1, section 2.6). */
export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
} as const;
/** Flag of the last frame of a stream's direction. */
export const finFlag = 0x01;

const version = 3;
const controlBit = 0x80;
const headBytes = 8;
const maxHeaderBytes = 64 * 1024;
/** Largest frame that is read whole: clients send far smaller ones. */
const maxFrameBytes = 1024 * 1024;

/** A frame. Data frames have no type. */
export interface Frame {
  readonly type: number | undefined;
  readonly flags: number;
  /** Of data frames. */
  readonly streamId: number;
  readonly payload: Buffer;
}

/** Words that both sides of the header compression know: each led by its length, then others in a row. */
const dictionary = Buffer.concat([
  ...words.words.flatMap((word) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(word.length);
    return [length, Buffer.from(word, 'latin1')];
  }),
  Buffer.from(words.tail, 'latin1'),
]);

/** Cuts bytes into frames. @throws RangeError for frames that are too large or of another version */
export class FrameCutter {
  #rest: Buffer = Buffer.alloc(0);

  cut(chunk: Buffer): Frame[] {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const frames: Frame[] = [];
    while (bytes.length >= headBytes) {
      const size = bytes.readUIntBE(5, 3);
      if (size > maxFrameBytes) throw new RangeError(`a frame of ${size} bytes`);
      if (bytes.length < headBytes + size) break;
      frames.push(readFrame(bytes, bytes.subarray(headBytes, headBytes + size)));
      bytes = bytes.subarray(headBytes + size);
    }
    this.#rest = Buffer.from(bytes);
    return frames;
  }
}

function readFrame(head: Buffer, payload: Buffer): Frame {
  const flags = head.readUInt8(4);
  if ((head.readUInt8(0) & controlBit) === 0) {
    return { type: undefined, flags, streamId: head.readUInt32BE(0), payload };
  }
  const spoken = head.readUInt16BE(0) & 0x7fff;
  if (spoken !== version) throw new RangeError(`a frame of version ${spoken}`);
  return { type: head.readUInt16BE(2), flags, streamId: 0, payload };
}

export function dataFrame(streamId: number, bytes: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(streamId, 0);
  head.writeUInt32BE(bytes.length, 4);
  head.writeUInt8(flags, 4);
  return Buffer.concat([head, bytes]);
}

export function controlFrame(type: number, payload: Buffer, flags = 0): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt16BE(0x8000 | version, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt32BE(payload.length, 4);
  head.writeUInt8(flags, 4);
  return Buffer.concat([head, payload]);
}

/** Reads the compressed headers of one connection's frames, in their order. */
export class HeaderReader {
  readonly #inflate: Inflate = createInflate({ dictionary, finishFlush: constants.Z_SYNC_FLUSH });
  #chunks: Buffer[] = [];
  #size = 0;

  constructor() {
    this.#inflate.on('data', (chunk: Buffer) => {
      this.#size += chunk.length;
      if (this.#size > maxHeaderBytes) this.#inflate.destroy(new RangeError('too many headers'));
      else this.#chunks.push(chunk);
    });
    this.#inflate.on('error', () => {}); // told to whoever waits for the write
  }

  /** Names are lower-case. @throws Error for what is no compressed headers */
  async read(bytes: Buffer): Promise<ReadonlyMap<string, string>> {
    await new Promise<void>((resolve, reject) => {
      this.#inflate.once('error', reject);
      this.#inflate.write(bytes, (error) => {
        this.#inflate.off('error', reject);
        if (error) reject(error);
        else resolve();
      });
    });
    const text = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#size = 0;
    return parseHeaders(text);
  }

  close(): void {
    this.#inflate.destroy();
  }
}

function parseHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  let at = 4;
  const take = (): string => {
    const end = at + 4 + bytes.readUInt32BE(at);
    const text = bytes.toString('latin1', at + 4, end);
    if (end > bytes.length) throw new RangeError('headers that end in the middle');
    at = end;
    return text;
  };
  for (let count = bytes.readUInt32BE(0); count > 0; count--) headers.set(take().toLowerCase(), take());
  return headers;
}

/** Writes headers for one connection's frames: blocks that are stored as they are need no compressor. */
export class HeaderWriter {
  #isBegun = false;

  /** No headers: the peer asks for none. */
  empty(): Buffer {
    if (this.#isBegun) return noHeaders;
    this.#isBegun = true;
    return Buffer.concat([streamHead, noHeaders]);
  }
}

/** Beginning of a compressed stream with a dictionary of this checksum (RFC 1950). */
const streamHead = Buffer.from('78bbe3c6a7c2', 'hex');
/** A stored block (RFC 1951) with a count of 0 headers, and an empty one: some peers hand nothing on before that. */
const noHeaders = Buffer.from('000400fbff00000000' + '000000ffff', 'hex');
