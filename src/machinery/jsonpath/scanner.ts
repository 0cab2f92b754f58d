/** Reads a template character by character, and hands out what was read since it last did. */
export class Scanner {
  readonly #text: string;
  #start = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The next character; empty at the end. */
  peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  /** Reads the next character; empty at the end. */
  next(): string {
    const character = this.peek();
    this.#at += character.length;
    return character;
  }

  /** Whether the text goes on with these characters. */
  sees(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#at);
  }

  skip(length: number): void {
    this.#at += length;
  }

  /** Reads up to the first character that ends it, which stays. */
  readUntil(isEnd: (character: string) => boolean): void {
    while (!isEnd(this.peek())) this.next();
  }

  /** Whether the last character that was read follows a backslash. */
  get isEscaped(): boolean {
    return this.#text[this.#at - 2] === '\\';
  }

  /** What was read since the last call. */
  take(): string {
    const taken = this.#text.slice(this.#start, this.#at);
    this.#start = this.#at;
    return taken;
  }
}
