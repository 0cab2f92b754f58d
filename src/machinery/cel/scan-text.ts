/** A text that the library's parser can read, and what it does not know of it. */
export interface ScannedText {
  /** As long as the original one. */
  readonly text: string;
  /** Where `.?` and the `[?` of an item stood. */
  readonly places: ReadonlySet<number>;
  /** Where the `?` of what may be an optional entry of a list or a map stood, in order. */
  readonly entries: readonly number[];
  /** Names that stood in backquotes, by the name that stands there now. */
  readonly quoted: ReadonlyMap<string, string>;
  /** Most brackets within brackets. */
  readonly depth: number;
  /** Names, numbers, strings, operators and brackets; an operator of two letters counts as two. */
  readonly tokens: number;
}

/** Names of fields, and the quotes around them. */
const maxQuotedLength = 512;
const openers = '([{';
const closers = ')]}';
/** After these a `?` is no choice between two values. */
const beforeEntry: readonly string[] = ['[', '{', ','];
const isInWord = /\w/;
/** What a value ends with. */
const endsValue = /[\w)\]}"'`]/;

/**
 * Finds what the parser does not know: optional fields, items and entries (`a.?b`, `a[?i]`, `[?a]`, `{?a: b}`) and quoted fields
 * (a dot and a name in backquotes). `.?b` becomes `._b`, any other `?` a space, comments become spaces, and quoted names others of
 * their length, so that all places stay what they are.
 */
export function scanText(text: string): ScannedText {
  const places = new Set<number>();
  const entries: number[] = [];
  const quoted = new QuotedNames(text);
  let [depth, open, tokens] = [0, 0, 0];
  let out = '';
  /** The last letter that is no space. */
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const next = text.charAt(at + 1);
    const end = endOfOpaque(text, at);
    if (end > at) {
      const isComment = letter === '/';
      if (!isComment) {
        tokens++;
        last = letter;
      }
      out += isComment ? ' '.repeat(end - at) : text.slice(at, end);
      at = end - 1;
      continue;
    }
    const replaced = letter === '`' && /[._]$/.test(out) ? quoted.replace(at) : undefined;
    if (replaced !== undefined) {
      tokens++;
      last = letter;
      out += replaced;
      at += replaced.length - 1;
      continue;
    }
    if (openers.includes(letter)) open++;
    if (closers.includes(letter)) open--;
    depth = Math.max(depth, open);
    if (letter === '?' && beforeEntry.includes(last)) {
      entries.push(at);
      out += ' ';
      continue;
    }
    out += letter;
    const isOptional = next === '?' && (letter === '.' || (letter === '[' && endsValue.test(last)));
    if (letter.trim() !== '') {
      if (!isInWord.test(letter) || !isInWord.test(text.charAt(at - 1))) tokens++;
      last = letter;
    }
    if (!isOptional) continue;
    places.add(at);
    out += letter === '.' ? '_' : ' ';
    at++;
  }
  return { text: out, places, entries, quoted: quoted.names, depth, tokens };
}

/** Names of quoted fields, and what stands for them: a letter and two digits that the text has nowhere else. */
class QuotedNames {
  readonly names = new Map<string, string>();
  readonly #text: string;
  #letter: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** What stands for the name whose first quote is here; undefined where it is no name, which the parser will tell of. */
  replace(at: number): string | undefined {
    const [found, name] = /^`([A-Za-z0-9_.\-/ ]+)`/.exec(this.#text.slice(at, at + maxQuotedLength)) ?? [];
    this.#letter ??= [...'QZXJKVW'].find((letter) => !new RegExp(`${letter}[0-9a-z]{2}`).test(this.#text));
    const number = this.names.size.toString(36).padStart(2, '0');
    if (found === undefined || name === undefined || this.#letter === undefined || number.length > 2)
      return undefined;
    const replacement = (this.#letter + number).padEnd(found.length, '_');
    this.names.set(replacement, name);
    return replacement;
  }
}

/** After a string or a comment that begins here; the same place where none does. */
function endOfOpaque(text: string, at: number): number {
  const letter = text.charAt(at);
  if (letter === '"' || letter === "'") return endOfString(text, at);
  return letter === '/' && text.charAt(at + 1) === '/' ? endOfLine(text, at) : at;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** After the closing quote; the end of the text for one that is not closed, which the parser will tell of. */
function endOfString(text: string, start: number): number {
  const letter = text.charAt(start);
  const quote = text.startsWith(letter.repeat(3), start) ? letter.repeat(3) : letter;
  const isRaw = /[rR][bB]?$/.test(text.slice(Math.max(0, start - 2), start));
  for (let at = start + quote.length; at < text.length; at++) {
    if (text.charAt(at) === '\\' && !isRaw) at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return text.length;
}
