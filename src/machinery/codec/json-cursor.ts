import { jsonBytes } from '../../base/index.ts';

const { quote, comma, colon, backslash, bracketOpen, bracketClose, braceOpen, braceClose, space } = jsonBytes;

/** Bytes that are no JSON, or JSON that is nested deeper than is read. */
export class JsonCursorError extends Error {
  override readonly name = 'JsonCursorError';
}

/** Deepest nesting that is passed over. */
const maxDepth = 200;

/**
 * Goes through large JSON member by member, so that what is not wanted is never parsed, and the work can rest between two
 * members. Values that are passed over are looked at only as far as is needed to find their ends.
 */
export class JsonCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /**
   * The names of the members of the object that begins here. Between two of them the value may be taken, or its own members
   * iterated to their end; else it is passed over.
   *
   * @throws JsonCursorError
   */
  *members(): Generator<string> {
    this.#expect(braceOpen);
    if (this.#peek() === braceClose) {
      this.#at++;
      return;
    }
    for (;;) {
      this.#peek();
      const start = this.#at;
      this.#skipString();
      const name = parseName(this.#bytes.toString('utf8', start, this.#at));
      this.#expect(colon);
      const valueAt = this.#at;
      yield name;
      if (this.#at === valueAt) this.take();
      const next = this.#peek();
      this.#at++;
      if (next === braceClose) return;
      if (next !== comma) throw new JsonCursorError('no comma between members');
    }
  }

  /** The bytes of the value that begins here. @throws JsonCursorError */
  take(): Buffer {
    const first = this.#peek();
    const start = this.#at;
    if (first === quote) this.#skipString();
    else if (first === braceOpen || first === bracketOpen) this.#skipNested();
    else this.#skipScalar();
    return this.#bytes.subarray(start, this.#at);
  }

  /** The next byte that is no white space. */
  #peek(): number {
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte > space) return byte;
    }
    throw new JsonCursorError('unexpected end');
  }

  #expect(byte: number): void {
    if (this.#peek() !== byte)
      throw new JsonCursorError(`no ${String.fromCharCode(byte)} where one was expected`);
    this.#at++;
  }

  #skipString(): void {
    if (this.#bytes[this.#at] !== quote) throw new JsonCursorError('no text where one was expected');
    for (this.#at++; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === backslash) this.#at++;
      else if (byte === quote) {
        this.#at++;
        return;
      }
    }
    throw new JsonCursorError('a text without an end');
  }

  #skipNested(): void {
    let depth = 0;
    while (this.#at < this.#bytes.length) {
      const byte = this.#bytes[this.#at];
      if (byte === quote) {
        this.#skipString();
        continue;
      }
      this.#at++;
      if (byte === braceOpen || byte === bracketOpen) {
        if (++depth > maxDepth) throw new JsonCursorError(`nested deeper than ${maxDepth}`);
      } else if ((byte === braceClose || byte === bracketClose) && --depth === 0) return;
    }
    throw new JsonCursorError('unexpected end');
  }

  #skipScalar(): void {
    const start = this.#at;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte <= space || byte === comma || byte === braceClose || byte === bracketClose) break;
    }
    if (this.#at === start) throw new JsonCursorError('no value where one was expected');
  }
}

function parseName(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonCursorError(`no name: ${text.slice(0, 100)}`);
  }
}
