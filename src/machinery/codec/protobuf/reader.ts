import { type RawNumber, rawNumber } from '../../../base/index.ts';
import { ProtobufError, throwMalformed } from './protobuf-error.ts';
import { wireBytes, wireFixed32, wireFixed64, wireGroupEnd, wireGroupStart, wireVarint } from './wire.ts';

/** Deepest nesting of messages that is read; real objects stay below 100. */
export const maxMessageDepth = 500;
const maxVarintBytes = 10;
/**
 * Up to this length the runtime copies a part of a text, which is several times cheaper than decoding bytes;
 * a longer part would hold on to the whole text.
 */
const maxCopiedText = 12;

/**
 * A place in bytes that nobody vouches for. Nothing is read beyond `limit`, and nothing is allocated by a
 * length that the bytes claim before they are known to be there.
 */
export class Reader {
  readonly bytes: Buffer;
  at = 0;
  /** End of the message that is being read. */
  limit: number;
  /** Messages around the place. */
  depth = 0;
  /** All bytes as characters, made when the first short text is read. */
  #characters: string | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.limit = bytes.length;
  }

  /** One level deeper. @throws ProtobufError beyond the deepest. */
  enter(): void {
    if (++this.depth > maxMessageDepth) throwMalformed('depth');
  }

  leave(): void {
    this.depth--;
  }

  /** An unsigned number; beyond 2^53 it is rounded. */
  varint(): number {
    if (this.at >= this.limit) throwMalformed('end');
    // The limit is inside the bytes.
    const first = this.bytes[this.at] as number;
    if (first >= 0x80) return Number(this.#manyBytes());
    this.at++;
    return first;
  }

  #manyBytes(): number | bigint {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 7; count++) {
      if (this.at + count >= this.limit) throwMalformed('end');
      const byte = this.bytes[this.at + count] as number;
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        this.at += count + 1;
        return value;
      }
      factor *= 0x80;
    }
    return this.#longVarint();
  }

  #longVarint(): bigint {
    let value = 0n;
    for (let count = 0; count < maxVarintBytes; count++) {
      if (this.at >= this.limit) throwMalformed('end');
      const byte = this.bytes[this.at++] as number;
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    return throwMalformed('overflow');
  }

  /** A signed 32-bit number; higher bits are dropped, as gogo/protobuf does. */
  int32(): number {
    if (this.at >= this.limit) throwMalformed('end');
    const first = this.bytes[this.at] as number;
    if (first < 0x80) {
      this.at++;
      return first;
    }
    const value = this.#manyBytes();
    return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : value | 0;
  }

  /** A signed 64-bit number, kept as digits where a double does not hold it. */
  int64(): number | RawNumber {
    if (this.at >= this.limit) throwMalformed('end');
    const value = this.#manyBytes();
    if (typeof value === 'number') return value;
    const signed = BigInt.asIntN(64, value);
    const number = Number(signed);
    return Number.isSafeInteger(number) ? number : rawNumber(String(signed));
  }

  double(): number {
    if (this.limit - this.at < 8) throwMalformed('end');
    const value = this.bytes.readDoubleLE(this.at);
    this.at += 8;
    return value;
  }

  /** Reads a length and gives the end of what it counts, which is inside the message. */
  lengthEnd(): number {
    const length = this.varint();
    if (length > this.limit - this.at) throwMalformed(length >= 2 ** 63 ? 'negativeLength' : 'end');
    return this.at + length;
  }

  /** Text up to `end`; bytes that are not UTF-8 become U+FFFD. */
  text(end: number): string {
    const { at, bytes } = this;
    if (at === end) return '';
    if (end - at > maxCopiedText) return bytes.toString('utf8', at, end);
    for (let index = at; index < end; index++) {
      if ((bytes[index] as number) >= 0x80) return bytes.toString('utf8', at, end);
    }
    this.#characters ??= bytes.toString('latin1');
    return this.#characters.substring(at, end);
  }

  /** Goes past the value of an unknown field. Groups are followed without recursion. */
  skip(wire: number): void {
    let groups = 0;
    let next = wire;
    for (;;) {
      if (next === wireGroupStart) groups++;
      else if (next === wireGroupEnd) {
        if (groups === 0) throwMalformed('endOfGroup');
        groups--;
      } else this.#skipValue(next);
      if (groups === 0) return;
      next = this.varint() % 8;
    }
  }

  #skipValue(wire: number): void {
    switch (wire) {
      case wireVarint:
        this.varint();
        return;
      case wireBytes:
        this.at = this.lengthEnd();
        return;
      case wireFixed64:
        this.#advance(8);
        return;
      case wireFixed32:
        this.#advance(4);
        return;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wire}`);
    }
  }

  #advance(byteCount: number): void {
    if (this.limit - this.at < byteCount) throwMalformed('end');
    this.at += byteCount;
  }
}
