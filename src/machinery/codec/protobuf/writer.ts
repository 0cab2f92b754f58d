import { isRawNumber } from '../../../base/index.ts';

const initialBytes = 16 * 1024;
/** A larger buffer is given back after use, so that one giant object does not occupy memory forever. */
const keptBytes = 1024 * 1024;
/** Texts up to this length are written byte by byte: calls into the runtime cost more. */
const shortText = 48;

/**
 * Writes a message from its end to its start: when a length has to be written, what it counts is already
 * there, so one pass is enough and nothing is moved. Last fields come first. One message at a time.
 */
export class BackwardWriter {
  #buffer: Buffer;
  /** Everything from here to the end of the buffer is written. */
  #start: number;

  constructor(sizeBytes = initialBytes) {
    this.#buffer = Buffer.allocUnsafeSlow(sizeBytes);
    this.#start = sizeBytes;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#buffer.length - this.#start;
  }

  /** A copy of what was written; the writer is empty afterwards. */
  take(): Buffer {
    const bytes = Buffer.from(this.#buffer.subarray(this.#start));
    this.reset();
    return bytes;
  }

  /** Drops what was written. */
  reset(): void {
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.#start = this.#buffer.length;
  }

  #grow(byteCount: number): void {
    const { size } = this;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, size + byteCount));
    this.#buffer.copy(larger, larger.length - size, this.#start);
    this.#buffer = larger;
    this.#start = larger.length - size;
  }

  byte(value: number): void {
    if (this.#start < 1) this.#grow(1);
    this.#buffer[--this.#start] = value;
  }

  /** A whole number from 0 to 2^53 - 1: tags, lengths, amounts that are not negative. */
  varint(value: number): void {
    if (value < 0x80) {
      this.byte(value);
      return;
    }
    let length = 2;
    for (let rest = value / 0x4000; rest >= 1; rest /= 0x80) length++;
    if (this.#start < length) this.#grow(length);
    this.#start -= length;
    let rest = value;
    let at = this.#start;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[at++] = (rest % 0x80) | 0x80;
    this.#buffer[at] = rest;
  }

  /** A signed 64-bit number, negative ones as ten bytes. @throws TypeError when it is none. */
  int64(value: unknown): void {
    if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
      this.varint(value);
      return;
    }
    const big =
      typeof value === 'number' || typeof value === 'bigint'
        ? BigInt(value)
        : isRawNumber(value)
          ? BigInt(value.rawJSON)
          : undefined;
    if (big === undefined) throw new TypeError(`encode in Protobuf: not an integer: ${typeof value}`);
    let rest = BigInt.asUintN(64, big);
    const bytes: number[] = [];
    for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
    bytes.push(Number(rest));
    for (let index = bytes.length - 1; index >= 0; index--) this.byte(bytes[index] as number);
  }

  double(value: number): void {
    if (this.#start < 8) this.#grow(8);
    this.#start -= 8;
    this.#buffer.writeDoubleLE(value, this.#start);
  }

  /** Text in UTF-8 without its length; lone surrogates become U+FFFD. */
  text(value: string): void {
    const { length } = value;
    if (length > shortText) {
      this.#longText(value);
      return;
    }
    if (this.#start < length) this.#grow(length);
    const buffer = this.#buffer;
    const at = this.#start - length;
    for (let index = 0; index < length; index++) {
      const code = value.charCodeAt(index);
      if (code >= 0x80) {
        this.#longText(value);
        return;
      }
      buffer[at + index] = code;
    }
    this.#start = at;
  }

  /** A field of text: tag, length, text. */
  textField(tag: number, value: string): void {
    const before = this.size;
    this.text(value);
    this.varint(this.size - before);
    this.varint(tag);
  }

  #longText(value: string): void {
    const byteLength = Buffer.byteLength(value);
    if (this.#start < byteLength) this.#grow(byteLength);
    this.#start -= byteLength;
    this.#buffer.write(value, this.#start, byteLength, 'utf8');
  }

  /** Bytes as they are, without their length. */
  bytes(value: Uint8Array): void {
    const { length } = value;
    if (this.#start < length) this.#grow(length);
    this.#start -= length;
    if (length > shortText) {
      this.#buffer.set(value, this.#start);
      return;
    }
    const buffer = this.#buffer;
    const at = this.#start;
    for (let index = 0; index < length; index++) buffer[at + index] = value[index] as number;
  }
}
