import { isBlank, isDigit, jsonBytes } from '../../base/index.ts';

/** A byte as a client sees it: half a character is none. */
const show = (byte: number): string => (byte < 0x80 ? String.fromCharCode(byte) : '\ufffd');

/** Letters of an error that is added to. */
const maxMessage = 1_000_000;

/**
 * Reads JSON byte by byte as json-iterator 1.1.10 does, for its errors: it reads on after the first one from where it stands,
 * and goes back no more, so that what it takes for values from then on depends on every byte. Values are not kept.
 */
export class JsonReader {
  readonly bytes: Buffer;
  /** Where it stands. */
  head = 0;
  /** Somebody has asked for more than there is. */
  #isAtEnd = false;
  #message: string | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** The error so far, with the names of what it lies in. */
  get message(): string | undefined {
    return this.#message;
  }

  /** Says where the error lies. */
  nameError(name: string): void {
    if (this.#message !== undefined && this.#message.length < maxMessage)
      this.#message = name + this.#message;
  }

  /** The first error counts. */
  fail(operation: string, text: string): undefined {
    if (this.#message !== undefined) return undefined;
    const around = (letters: number): string =>
      this.bytes.toString('utf8', Math.max(this.head - letters, 0), this.head + letters);
    const place = `#${Math.min(10, this.head)} byte of ...|${around(10)}|..., bigger context ...|${around(50)}|...`;
    this.#message = `${operation}: ${text}, error found in ${place}`;
    return undefined;
  }

  /** The same for a byte that is not the wanted one. */
  failAt(operation: string, wanted: string, found: number): undefined {
    return this.fail(operation, `${wanted}${show(found)}`);
  }

  /** The next byte that is no blank; 0 at the end. */
  next(): number {
    while (this.head < this.bytes.length) {
      const byte = this.bytes[this.head++] ?? 0;
      if (!isBlank(byte)) return byte;
    }
    this.#isAtEnd = true;
    return 0;
  }

  /** The next byte is read again, unless something has gone wrong. */
  back(): void {
    if (this.#message === undefined && !this.#isAtEnd) this.head--;
  }

  /** True behind a null. */
  skipNull(): boolean {
    if (this.next() === jsonBytes.letterN) {
      this.skipWord('ull');
      return true;
    }
    this.back();
    return false;
  }

  /** What follows the first letter of a word. */
  skipWord(rest: string): void {
    const operation = rest.length === 3 ? 'skipThreeBytes' : 'skipFourBytes';
    for (const letter of rest) {
      if (this.#byte() === letter.charCodeAt(0)) continue;
      this.fail(operation, `expect ${rest}`);
      return;
    }
  }

  /** Empty for null, and where something is wrong. */
  readString(): string {
    const byte = this.next();
    if (byte === jsonBytes.letterN) this.skipWord('ull');
    else if (byte !== jsonBytes.quote) this.failAt('ReadString', 'expects " or n, but found ', byte);
    else return this.#restOfString();
    return '';
  }

  /** The name of a member with its colon, as the routine for small types reads it; undefined when there is none. */
  readSmallName(): string | undefined {
    const byte = this.next();
    if (byte !== jsonBytes.quote) return this.failAt('readFieldHash', 'expect ", but found ', byte);
    const name = this.#restOfString();
    const after = this.next();
    return after === jsonBytes.colon ? name : this.failAt('readFieldHash', 'expect :, but found ', after);
  }

  /** True or false. */
  readBool(): void {
    const byte = this.next();
    if (byte === jsonBytes.letterT) this.skipWord('rue');
    else if (byte === jsonBytes.letterF) this.skipWord('alse');
    else this.failAt('ReadBool', 'expect t or f, but found ', byte);
  }

  /** A number of so many bits with a sign. */
  readInteger(bits: 32 | 64): void {
    const first = this.next();
    const isNegative = first === jsonBytes.minus;
    const byte = isNegative ? this.#byte() : first;
    if (!isDigit(byte)) {
      // Its mark for "no digit" is the byte 255.
      this.fail(`readUint${bits}`, 'unexpected character: \ufffd');
      return;
    }
    const start = this.head - 1;
    const value = byte === jsonBytes.zero ? 0n : this.#readDigits(byte, bits);
    if (value === undefined) return;
    if (this.bytes[this.head] === jsonBytes.dot) this.fail('assertInteger', 'can not decode float as int');
    // It takes some numbers that are too large for what is left of them; here they are refused.
    const written = BigInt(this.bytes.toString('latin1', start, this.head));
    const most = 2n ** BigInt(bits - 1) - (isNegative ? 0n : 1n);
    if (written > most) this.fail(`ReadInt${bits}`, `overflow: ${value}`);
  }

  /** A number from 0 to 255. */
  readByteNumber(): void {
    const byte = this.next();
    if (!isDigit(byte)) {
      this.fail('readUint32', 'unexpected character: \ufffd');
      return;
    }
    const value = byte === jsonBytes.zero ? 0n : this.#readDigits(byte, 32);
    if (value === undefined) return;
    if (this.bytes[this.head] === jsonBytes.dot) this.fail('assertInteger', 'can not decode float as int');
    if (value > 255n) this.fail('ReadUint8', `overflow: ${value}`);
  }

  /** @param beyond what is said of a number that no double can hold */
  readDouble(beyond: (digits: string) => string): void {
    const byte = this.next();
    if (byte !== jsonBytes.minus) this.back();
    const digits = this.takeNumberText();
    if (this.#message !== undefined) return;
    if (digits === '') this.fail('readNumberAsString', 'invalid number');
    else if (!Number.isFinite(Number(digits)))
      this.#message = beyond((byte === jsonBytes.minus ? '-' : '') + digits);
  }

  /** The first byte of the value that comes. */
  peek(): number {
    const byte = this.next();
    this.back();
    return byte;
  }

  #byte(): number {
    const byte = this.bytes[this.head];
    if (byte === undefined) this.#isAtEnd = true;
    else this.head++;
    return byte ?? 0;
  }

  #restOfString(): string {
    const start = this.head;
    for (let at = start; at < this.bytes.length; at++) {
      const byte = this.bytes[at] ?? 0;
      if (byte === jsonBytes.quote) {
        this.head = at + 1;
        return this.bytes.toString('utf8', start, at);
      }
      if (byte === jsonBytes.backslash) break;
    }
    // The routine for strings with escapes reads nothing once something has gone wrong.
    if (this.#message !== undefined || this.#isAtEnd) return '';
    while (!this.#isAtEnd) {
      const byte = this.#byte();
      if (byte === jsonBytes.quote)
        return String(JSON.parse(this.bytes.toString('utf8', start - 1, this.head)));
      if (byte === jsonBytes.backslash) this.#byte();
    }
    this.fail('readStringSlowPath', 'unexpected end of input');
    return '';
  }

  /** Digits behind the first, as it adds them up; undefined where it notices that they do not fit. */
  #readDigits(first: number, bits: 32 | 64): bigint | undefined {
    const start = this.head;
    let value = BigInt(first - 0x30);
    let at = start;
    for (; isDigit(this.bytes[at] ?? 0); at++) {
      const sum = BigInt.asUintN(bits, value * 10n + BigInt((this.bytes[at] ?? 0) - 0x30));
      if (sum < value) {
        // Of a long number it has taken eight digits by then.
        if (this.bytes.length - start > 10 && at - start >= 7) this.head = start + 7;
        this.fail(`readUint${bits}`, 'overflow');
        return undefined;
      }
      value = sum;
    }
    this.head = at;
    return value;
  }

  /** What a number may be made of. */
  takeNumberText(): string {
    const start = this.head;
    let at = start;
    while (/[-+.eE0-9]/.test(String.fromCharCode(this.bytes[at] ?? 0))) at++;
    this.head = at;
    return this.bytes.toString('latin1', start, at);
  }
}
