import { isDigit, jsonBytes } from '../../base/index.ts';

const endOfInput = 'unexpected end of JSON input';
/** Deepest nesting that Go's reader takes. */
const maxDepth = 10_000;

/** Where a JSON text stops being JSON. */
class SyntaxFault extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

const hexDigit = /[0-9a-fA-F]/;
const escapes = new Set('"\\/bfnrtu');
const literals: Readonly<Record<string, string>> = { t: 'true', f: 'false', n: 'null' };

const namedBytes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
};

/** A byte as encoding/json's errors quote it. */
function quoteByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === "'") return `'\\''`;
  if (char === '"') return `'"'`;
  const known = namedBytes[char];
  if (known !== undefined) return `'${known}'`;
  const isPrintable = byte >= 0x20 && byte !== 0x7f && (byte < 0x80 || byte > 0xa0) && byte !== 0xad;
  if (isPrintable) return `'${char}'`;
  return byte < 0x80
    ? `'\\x${byte.toString(16).padStart(2, '0')}'`
    : `'\\u${byte.toString(16).padStart(4, '0')}'`;
}

/**
 * The message of Go's encoding/json for bytes that are not JSON, or that nest deeper than it reads; undefined for JSON.
 * Slower than parsing: ask after that has failed.
 */
export function findJsonFault(bytes: Buffer, deepest?: number): string | undefined {
  return locateJsonFault(bytes, deepest)?.message;
}

/** What is wrong with a text, and at which byte, from 0. */
export interface JsonFault {
  readonly message: string;
  readonly offset: number;
}

/** As `findJsonFault`, with the place. Nesting may be held to less than what Go's reader takes. */
export function locateJsonFault(bytes: Buffer, deepest: number = maxDepth): JsonFault | undefined {
  try {
    new JsonScanner(bytes, deepest).scan();
    return undefined;
  } catch (error) {
    if (error instanceof SyntaxFault) return { message: error.message, offset: error.offset };
    throw error;
  }
}

/** Walks JSON byte by byte with a stack of its own. */
class JsonScanner {
  readonly #bytes: Buffer;
  #at = 0;
  /** Closing bracket of every open container. */
  readonly #open: ('}' | ']')[] = [];
  /** True when a value must come next. */
  #pending = false;

  readonly #deepest: number;

  constructor(bytes: Buffer, deepest: number) {
    this.#bytes = bytes;
    this.#deepest = deepest;
  }

  /** @throws SyntaxFault at the first byte that cannot stand where it does. */
  scan(): void {
    this.#value();
    while (this.#open.length > 0) this.#afterValue();
    this.#skipSpace();
    if (this.#at < this.#bytes.length) this.#fault('after top-level value');
  }

  #peek(): string {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new SyntaxFault(endOfInput, this.#at);
    return String.fromCharCode(byte);
  }

  /** The same within a word, number or escape, whose end is noticed first: Go's reader takes the end for a blank. */
  #peekWithin(): string {
    return String.fromCharCode(this.#bytes[this.#at] ?? jsonBytes.space);
  }

  #fault(where: string): never {
    throw new SyntaxFault(
      `invalid character ${quoteByte(this.#bytes[this.#at] ?? jsonBytes.space)} ${where}`,
      this.#at,
    );
  }

  #skipSpace(): void {
    while (' \t\r\n'.includes(String.fromCharCode(this.#bytes[this.#at] ?? 0))) this.#at++;
  }

  /** Reads a scalar, or opens containers until one is empty or a scalar is read. */
  #value(): void {
    this.#skipSpace();
    const char = this.#peek();
    const literal = literals[char];
    if (char === '{') this.#openObject();
    else if (char === '[') this.#openArray();
    else if (char === '"') this.#string();
    else if (literal !== undefined) this.#literal(literal);
    else if (char === '-' || /\d/.test(char)) this.#number();
    else this.#fault('looking for beginning of value');
  }

  #enter(closing: '}' | ']'): void {
    if (this.#open.push(closing) > this.#deepest) this.#fault('exceeded max depth');
    this.#at++;
  }

  #openObject(): void {
    this.#enter('}');
    this.#skipSpace();
    if (this.#peek() !== '}') this.#key();
  }

  #openArray(): void {
    this.#enter(']');
    this.#skipSpace();
    if (this.#peek() !== ']') this.#pending = true;
  }

  #key(): void {
    this.#skipSpace();
    if (this.#peek() !== '"') this.#fault('looking for beginning of object key string');
    this.#string();
    this.#skipSpace();
    if (this.#peek() !== ':') this.#fault('after object key');
    this.#at++;
    this.#pending = true;
  }

  #afterValue(): void {
    if (this.#pending) {
      this.#pending = false;
      this.#value();
      return;
    }
    this.#skipSpace();
    const closing = this.#open.at(-1);
    const char = this.#peek();
    if (char === closing) {
      this.#at++;
      this.#open.pop();
    } else if (char !== ',') {
      this.#fault(closing === '}' ? 'after object key:value pair' : 'after array element');
    } else {
      this.#at++;
      if (closing === '}') this.#key();
      else this.#pending = true;
    }
  }

  #string(): void {
    this.#at++;
    for (;;) {
      const char = this.#peek();
      if (char === '"') break;
      if (char < ' ') this.#fault('in string literal');
      if (char === '\\') this.#escape();
      else this.#at++;
    }
    this.#at++;
  }

  #escape(): void {
    this.#at++;
    const char = this.#peekWithin();
    if (!escapes.has(char)) this.#fault('in string escape code');
    this.#at++;
    if (char !== 'u') return;
    for (let count = 0; count < 4; count++) {
      if (!hexDigit.test(this.#peekWithin())) this.#fault('in \\u hexadecimal character escape');
      this.#at++;
    }
  }

  #literal(word: string): void {
    for (const char of word) {
      if (this.#peekWithin() !== char) this.#fault(`in literal ${word} (expecting '${char}')`);
      this.#at++;
    }
  }

  #number(): void {
    if (this.#peekWithin() === '-') {
      this.#at++;
      if (!/\d/.test(this.#peekWithin())) this.#fault('in numeric literal');
    }
    if (this.#peekWithin() === '0') this.#at++;
    else this.#digits();
    if (this.#bytes[this.#at] === jsonBytes.dot) {
      this.#at++;
      this.#requireDigits('after decimal point in numeric literal');
    }
    if (((this.#bytes[this.#at] ?? 0) | 0x20) === jsonBytes.letterE) {
      this.#at++;
      if (this.#peekWithin() === '+' || this.#peekWithin() === '-') this.#at++;
      this.#requireDigits('in exponent of numeric literal');
    }
  }

  #requireDigits(where: string): void {
    if (!/\d/.test(this.#peekWithin())) this.#fault(where);
    this.#digits();
  }

  #digits(): void {
    while (isDigit(this.#bytes[this.#at] ?? 0)) this.#at++;
  }
}
