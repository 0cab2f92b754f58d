/**
 * What release 1.20's JSON decoder says about `text` when it should be an object; undefined when it is one. Only
 * contents of secrets meet this decoder; request bodies have another.
 */
export function describeJsonObjectError(text: string): string | undefined {
  const scanner = new JsonScanner(text);
  const problem = scanner.scan();
  if (problem !== undefined) return problem;
  const kind = kindOf(JSON.parse(text));
  return kind === undefined
    ? undefined
    : `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`;
}

function kindOf(value: unknown): string | undefined {
  if (value === null) return undefined;
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return undefined;
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const endOfInput = 'unexpected end of JSON input';
/** Deeper nesting is refused, so that hostile text cannot exhaust the stack. */
const maxDepth = 10_000;

/** Walks JSON text once and words the first error. A class because the position moves through many functions. */
class JsonScanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): string | undefined {
    const problem = this.#value();
    if (problem !== undefined) return problem;
    this.#space();
    return this.#at < this.#text.length ? this.#unexpected('after top-level value') : undefined;
  }

  #space(): void {
    while (this.#at < this.#text.length && ' \t\r\n'.includes(this.#text[this.#at] ?? 'x')) this.#at++;
  }

  #unexpected(where: string): string {
    if (this.#at >= this.#text.length) return endOfInput;
    return `invalid character ${quoteCharacter(String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0))} ${where}`;
  }

  /** Containers are kept on a list of their own instead of the call stack. */
  #value(): string | undefined {
    const open: ('{' | '[')[] = [];
    for (;;) {
      this.#space();
      const first = this.#text[this.#at];
      let problem: string | undefined;
      let opened = false;
      if (first === '{' || first === '[') {
        this.#at++;
        if (open.push(first) > maxDepth) return 'exceeded max depth';
        this.#space();
        const closer = first === '{' ? '}' : ']';
        if (this.#text[this.#at] === closer) {
          this.#at++;
          open.pop();
        } else {
          opened = true;
          if (first === '{') problem = this.#key('looking for beginning of object key string');
        }
      } else problem = this.#scalar(first);
      if (problem !== undefined) return problem;
      if (opened) continue;
      const after = this.#afterValue(open);
      if (after !== 'more') return after.problem;
    }
  }

  /** Closes what ends here. `more` when another value follows. */
  #afterValue(open: ('{' | '[')[]): 'more' | { problem: string | undefined } {
    for (;;) {
      const container = open.at(-1);
      if (container === undefined) return { problem: undefined };
      this.#space();
      const next = this.#text[this.#at];
      if (next === (container === '{' ? '}' : ']')) {
        this.#at++;
        open.pop();
        continue;
      }
      if (next !== ',') {
        const where = container === '{' ? 'after object key:value pair' : 'after array element';
        return { problem: this.#unexpected(where) };
      }
      this.#at++;
      if (container === '[') return 'more';
      this.#space();
      const problem = this.#key('looking for beginning of object key string');
      return problem === undefined ? 'more' : { problem };
    }
  }

  #key(where: string): string | undefined {
    if (this.#text[this.#at] !== '"') return this.#unexpected(where);
    const problem = this.#string();
    if (problem !== undefined) return problem;
    this.#space();
    if (this.#text[this.#at] !== ':') return this.#unexpected('after object key');
    this.#at++;
    return undefined;
  }

  #scalar(first: string | undefined): string | undefined {
    if (first === '"') return this.#string();
    if (first === 't') return this.#literal('true');
    if (first === 'f') return this.#literal('false');
    if (first === 'n') return this.#literal('null');
    if (first !== undefined && (first === '-' || isDigit(first))) return this.#number();
    return this.#unexpected('looking for beginning of value');
  }

  #literal(word: string): string | undefined {
    for (const letter of word) {
      if (this.#text[this.#at] !== letter) {
        return this.#unexpected(`in literal ${word} (expecting '${letter}')`);
      }
      this.#at++;
    }
    return undefined;
  }

  #string(): string | undefined {
    this.#at++;
    for (;;) {
      const next = this.#text[this.#at];
      if (next === undefined) return endOfInput;
      if (next === '"') {
        this.#at++;
        return undefined;
      }
      if (next < ' ') return this.#unexpected('in string literal');
      this.#at++;
      if (next !== '\\') continue;
      const problem = this.#escape();
      if (problem !== undefined) return problem;
    }
  }

  #escape(): string | undefined {
    const next = this.#text[this.#at];
    if (next === undefined || !'bfnrt\\/"u'.includes(next)) return this.#unexpected('in string escape code');
    this.#at++;
    if (next !== 'u') return undefined;
    for (let digits = 0; digits < 4; digits++) {
      if (!/^[0-9a-fA-F]$/.test(this.#text[this.#at] ?? '')) {
        return this.#unexpected('in \\u hexadecimal character escape');
      }
      this.#at++;
    }
    return undefined;
  }

  #number(): string | undefined {
    if (this.#text[this.#at] === '-') this.#at++;
    if (this.#text[this.#at] === '0') this.#at++;
    else if (!this.#digits()) return this.#unexpected('in numeric literal');
    if (this.#text[this.#at] === '.') {
      this.#at++;
      if (!this.#digits()) return this.#unexpected('after decimal point in numeric literal');
    }
    if (this.#text[this.#at] === 'e' || this.#text[this.#at] === 'E') {
      this.#at++;
      if (this.#text[this.#at] === '+' || this.#text[this.#at] === '-') this.#at++;
      if (!this.#digits()) return this.#unexpected('in exponent of numeric literal');
    }
    return undefined;
  }

  #digits(): boolean {
    const start = this.#at;
    while (isDigit(this.#text[this.#at] ?? '')) this.#at++;
    return this.#at > start;
  }
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9';

/** A character in single quotes, escaped as in Go source. */
function quoteCharacter(character: string): string {
  if (character === "'") return `'\\''`;
  if (character === '"') return `'"'`;
  const quoted = JSON.stringify(character).slice(1, -1);
  const control = /^\\u00([0-9a-f]{2})$/.exec(quoted);
  return control === null ? `'${quoted}'` : `'\\x${control[1]}'`;
}
