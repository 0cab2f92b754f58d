/** True for one mail address as headers have it: `a@b.c`, `Name <a@b.c>`, `a@b.c (Name)` (Go's `mail.ParseAddress`). */
export function isEmail(text: string): boolean {
  // Longer ones cannot be written into a header's line.
  if (text.length > maxLength) return false;
  const reader = new AddressReader(text);
  return reader.readAddress({ isInGroup: false }) === 1 && reader.skipComments() && reader.isAtEnd;
}

const maxLength = 64 * 1024;
/** What ends an atom. Letters of any script belong to one, and dots. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end one as well
const atomEnd = /[()[\];@\\,<>":\u0000-\u0020\u007f]/;
/** What ends a word of a name, where Go 1.15 takes more than RFC 5322. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they end one as well
const wordEnd = /[<>":\u0000-\u0020\u007f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const unquotable = /[\u0000-\u0008\u000a-\u001f\u007f]/;

/** Reads the parts of an address one after the other, each once or twice. */
class AddressReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** How many addresses there are: more than one in groups only. Undefined when it is none. */
  readAddress({ isInGroup }: { readonly isInGroup: boolean }): number | undefined {
    this.#skipSpace();
    const start = this.#at;
    if (this.#readSpec()) {
      this.#skipSpace();
      // A comment behind the address is taken for a name.
      return this.#peek() !== '(' || this.#skipComment() ? 1 : undefined;
    }
    this.#at = start;
    if (this.#peek() !== '<' && !this.#readPhrase()) return undefined;
    this.#skipSpace();
    if (!isInGroup && this.#take(':')) return this.#readGroup();
    return this.#take('<') && this.#readSpec() && this.#take('>') ? 1 : undefined;
  }

  /** Skips spaces and comments. False when a comment does not end. */
  skipComments(): boolean {
    this.#skipSpace();
    while (this.#peek() === '(') {
      if (!this.#skipComment()) return false;
      this.#skipSpace();
    }
    return true;
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #take(letter: string): boolean {
    if (this.#peek() !== letter) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (this.#peek() === ' ' || this.#peek() === '\t') this.#at++;
  }

  #skipComment(): boolean {
    let depth = 0;
    for (; this.#at < this.#text.length; this.#at++) {
      const letter = this.#peek();
      if (letter === '\\') this.#at++;
      else if (letter === '(') depth++;
      else if (letter === ')' && --depth === 0) {
        this.#at++;
        return true;
      }
    }
    return false;
  }

  #readSpec(): boolean {
    this.#skipSpace();
    const local = this.#peek() === '"' ? this.#readQuoted() : this.#readDotAtom();
    if (!local || !this.#take('@')) return false;
    this.#skipSpace();
    return this.#readDotAtom();
  }

  #readUntil(end: RegExp): string {
    const start = this.#at;
    while (!this.isAtEnd && !end.test(this.#peek())) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  #readDotAtom(): boolean {
    const atom = this.#readUntil(atomEnd);
    return atom !== '' && !atom.startsWith('.') && !atom.endsWith('.') && !atom.includes('..');
  }

  /** False also when there is nothing between the quotes. */
  #readQuoted(): boolean {
    const start = ++this.#at;
    for (; !this.isAtEnd; this.#at++) {
      const letter = this.#peek();
      if (letter === '"') return this.#at++ > start;
      if (letter === '\\') this.#at++;
      if (this.isAtEnd || unquotable.test(this.#peek())) return false;
    }
    return false;
  }

  /** Words before an address: atoms and quoted texts. */
  #readPhrase(): boolean {
    let words = 0;
    for (;;) {
      this.#skipSpace();
      const start = this.#at;
      const isWord =
        this.#peek() === '"' ? this.#readQuoted() || this.#at === start + 2 : this.#readUntil(wordEnd) !== '';
      if (!isWord) {
        this.#at = start;
        return words > 0;
      }
      words++;
    }
  }

  #readGroup(): number | undefined {
    this.#skipSpace();
    if (this.#take(';')) return this.skipComments() ? 0 : undefined;
    let count = 0;
    for (;;) {
      const found = this.readAddress({ isInGroup: true });
      if (found === undefined || !this.skipComments()) return undefined;
      count += found;
      if (this.#take(';')) return this.skipComments() ? count : undefined;
      if (!this.#take(',')) return undefined;
    }
  }
}
