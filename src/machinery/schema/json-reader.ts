import { rawNumber } from '../../base/index.ts';

const codeOf = (character: string): number => character.charCodeAt(0);
const quote = codeOf('"');
const backslash = codeOf('\\');
const comma = codeOf(',');
const colon = codeOf(':');
const minus = codeOf('-');
const dot = codeOf('.');
const letterN = codeOf('n');
const openList = codeOf('[');
const closeList = codeOf(']');
const openObject = codeOf('{');
const closeObject = codeOf('}');

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
/** What may stand behind a number. */
const endsNumber = (code: number): boolean =>
  isBlank(code) || code === comma || code === closeList || code === closeObject;
/** A byte as a client sees it: half a character is none. */
const show = (code: number): string => (code < 0x80 ? String.fromCharCode(code) : '\ufffd');

/** Letters of an error that is added to. */
const maxMessage = 1_000_000;

/**
 * Reads JSON byte by byte as json-iterator 1.1.10 does, for its errors: it reads on after the first one from where it stands,
 * and goes back no more, so that what it takes for values from then on depends on every byte. Values are not kept.
 */
export class JsonReader {
  readonly #bytes: Buffer;
  #head = 0;
  /** Somebody has asked for more than there is. */
  #isAtEnd = false;
  #message: string | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
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
      this.#bytes.toString('utf8', Math.max(this.#head - letters, 0), this.#head + letters);
    const place = `#${Math.min(10, this.#head)} byte of ...|${around(10)}|..., bigger context ...|${around(50)}|...`;
    this.#message = `${operation}: ${text}, error found in ${place}`;
    return undefined;
  }

  failAt(operation: string, wanted: string, found: number): undefined {
    return this.fail(operation, `${wanted}${show(found)}`);
  }

  /** The next byte that is no blank; 0 at the end. */
  next(): number {
    while (this.#head < this.#bytes.length) {
      const code = this.#bytes[this.#head++] ?? 0;
      if (!isBlank(code)) return code;
    }
    this.#isAtEnd = true;
    return 0;
  }

  /** The next byte is read again, unless something has gone wrong. */
  back(): void {
    if (this.#message === undefined && !this.#isAtEnd) this.#head--;
  }

  /** True behind a null. */
  skipNull(): boolean {
    if (this.next() === letterN) {
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
      if (this.#byte() === codeOf(letter)) continue;
      this.fail(operation, `expect ${rest}`);
      return;
    }
  }

  readString(): string {
    const code = this.next();
    if (code === letterN) this.skipWord('ull');
    else if (code !== quote) this.failAt('ReadString', 'expects " or n, but found ', code);
    else return this.#restOfString();
    return '';
  }

  /** The name of a member with its colon, as the routine for small types reads it; undefined when there is none. */
  readSmallName(): string | undefined {
    const code = this.next();
    if (code !== quote) return this.failAt('readFieldHash', 'expect ", but found ', code);
    const name = this.#restOfString();
    const after = this.next();
    return after === colon ? name : this.failAt('readFieldHash', 'expect :, but found ', after);
  }

  readBool(): void {
    const code = this.next();
    if (code === codeOf('t')) this.skipWord('rue');
    else if (code === codeOf('f')) this.skipWord('alse');
    else this.failAt('ReadBool', 'expect t or f, but found ', code);
  }

  readInteger(bits: 32 | 64): void {
    const first = this.next();
    const isNegative = first === minus;
    const code = isNegative ? this.#byte() : first;
    if (!isDigit(code)) {
      // Its mark for "no digit" is the byte 255.
      this.fail(`readUint${bits}`, 'unexpected character: \ufffd');
      return;
    }
    const start = this.#head - 1;
    const value = code === codeOf('0') ? 0n : this.#readDigits(code, bits);
    if (value === undefined) return;
    if (this.#bytes[this.#head] === dot) this.fail('assertInteger', 'can not decode float as int');
    // It takes some numbers that are too large for what is left of them; here they are refused.
    const written = BigInt(this.#bytes.toString('latin1', start, this.#head));
    const most = 2n ** BigInt(bits - 1) - (isNegative ? 0n : 1n);
    if (written > most) this.fail(`ReadInt${bits}`, `overflow: ${value}`);
  }

  /** @param beyond what is said of a number that no double can hold */
  readDouble(beyond: (digits: string) => string): void {
    const code = this.next();
    if (code !== minus) this.back();
    const digits = this.#numberText();
    if (this.#message !== undefined) return;
    const found = this.#bytes[this.#head] ?? 0;
    if (digits === '') {
      this.#head++;
      this.failAt('readFloat64SlowPath', 'unexpected value type ', found);
    } else if (!Number.isFinite(Number(digits))) this.#message = beyond((code === minus ? '-' : '') + digits);
  }

  /** Takes a whole value, and gives what it is while nothing has gone wrong. */
  readWhole(): unknown {
    this.next();
    this.back();
    const start = this.#head;
    this.skip();
    if (this.#message !== undefined) return undefined;
    // The third parameter is not in the compiler's types.
    return JSON.parse(
      this.#bytes.toString('utf8', start, this.#head),
      keepDigits as (key: string, value: unknown) => unknown,
    );
  }

  /** The first byte of the value that comes. */
  peek(): number {
    const code = this.next();
    this.back();
    return code;
  }

  skip(): void {
    const code = this.next();
    if (code === quote) this.#skipString();
    else if (code === letterN) this.skipWord('ull');
    else if (code === codeOf('t')) this.skipWord('rue');
    else if (code === codeOf('f')) this.skipWord('alse');
    else if (code === codeOf('0')) {
      this.back();
      this.#skipDouble();
    } else if (code === minus || isDigit(code)) this.#skipNumber();
    else if (code === openList) this.#skipList();
    else if (code === openObject) this.#skipObject();
    else this.fail('Skip', `do not know how to skip: ${code}`);
  }

  #byte(): number {
    const code = this.#bytes[this.#head];
    if (code === undefined) this.#isAtEnd = true;
    else this.#head++;
    return code ?? 0;
  }

  #restOfString(): string {
    const start = this.#head;
    for (let at = start; at < this.#bytes.length; at++) {
      const code = this.#bytes[at] ?? 0;
      if (code === quote) {
        this.#head = at + 1;
        return this.#bytes.toString('utf8', start, at);
      }
      if (code === backslash) break;
    }
    // The routine for strings with escapes reads nothing once something has gone wrong.
    if (this.#message !== undefined || this.#isAtEnd) return '';
    while (!this.#isAtEnd) {
      const code = this.#byte();
      if (code === quote) return String(JSON.parse(this.#bytes.toString('utf8', start - 1, this.#head)));
      if (code === backslash) this.#byte();
    }
    this.fail('readStringSlowPath', 'unexpected end of input');
    return '';
  }

  #skipString(): void {
    const end = this.#bytes.indexOf(quote, this.#head);
    const escaped = this.#bytes.indexOf(backslash, this.#head);
    if (end >= 0 && (escaped < 0 || end < escaped)) this.#head = end + 1;
    else {
      this.back();
      this.readString();
    }
  }

  /** Digits behind the first, as it adds them up; undefined where it notices that they do not fit. */
  #readDigits(first: number, bits: 32 | 64): bigint | undefined {
    const start = this.#head;
    let value = BigInt(first - 0x30);
    let at = start;
    for (; isDigit(this.#bytes[at] ?? 0); at++) {
      const sum = BigInt.asUintN(bits, value * 10n + BigInt((this.#bytes[at] ?? 0) - 0x30));
      if (sum < value) {
        // Of a long number it has taken eight digits by then.
        if (this.#bytes.length - start > 10 && at - start >= 7) this.#head = start + 7;
        this.fail(`readUint${bits}`, 'overflow');
        return undefined;
      }
      value = sum;
    }
    this.#head = at;
    return value;
  }

  #numberText(): string {
    const start = this.#head;
    let at = start;
    while (/[-+.eE0-9]/.test(String.fromCharCode(this.#bytes[at] ?? 0))) at++;
    this.#head = at;
    return this.#bytes.toString('latin1', start, at);
  }

  #skipNumber(): undefined {
    let hasDot = false;
    for (let at = this.#head; at < this.#bytes.length; at++) {
      const code = this.#bytes[at] ?? 0;
      if (isDigit(code)) continue;
      if (code === dot) {
        if (hasDot) return this.fail('validateNumber', 'more than one dot found in number');
        if (!isDigit(this.#bytes[at + 1] ?? 0)) return this.fail('validateNumber', 'missing digit after dot');
        hasDot = true;
        continue;
      }
      if (!endsNumber(code)) break;
      this.#head = at;
      return undefined;
    }
    this.back();
    if (this.#message === undefined) this.#skipDouble();
    return undefined;
  }

  #skipDouble(): void {
    if (this.next() !== minus) this.back();
    this.#numberText();
  }

  /** True when a list or object begins where one is to begin: its first byte was read, and is read again if it can be. */
  #beginsAgain(open: number): boolean {
    this.back();
    const code = this.next();
    if (code === letterN) this.skipWord('ull');
    return code === open;
  }

  #skipList(): void {
    if (!this.#beginsAgain(openList)) return;
    let code = this.next();
    if (code === closeList) return;
    this.back();
    do {
      this.skip();
      code = this.next();
    } while (code === comma);
    if (code !== closeList) this.failAt('ReadArrayCB', 'expect ] in the end, but found ', code);
  }

  #skipObject(): undefined {
    if (!this.#beginsAgain(openObject)) return undefined;
    let code = this.next();
    if (code === closeObject) return undefined;
    if (code !== quote) return this.failAt('ReadObjectCB', 'expect " after {, but found ', code);
    this.back();
    do {
      this.readString();
      const after = this.next();
      if (after !== colon) this.failAt('ReadObject', 'expect : after object field, but found ', after);
      this.skip();
      code = this.next();
    } while (code === comma);
    if (code !== closeObject) this.fail('ReadObjectCB', 'object not ended with }');
    return undefined;
  }
}

/** Keeps numbers as they are written where a double would write them otherwise. */
const keepDigits = (_: string, value: unknown, { source }: { readonly source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && String(value) !== source ? rawNumber(source) : value;
