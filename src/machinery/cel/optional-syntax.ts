/** A text that the library's parser can read, and what it does not know of it. */
export interface ScannedText {
  /** As long as the original one. */
  readonly text: string;
  /** Where `.?` and `[?` stood. */
  readonly places: ReadonlySet<number>;
  /** Most brackets within brackets. */
  readonly depth: number;
}

const openers = '([{';
const closers = ')]}';
const isAfterValue = /[\w)\]}"'`]\s*$/;

/**
 * Finds optional fields and items (`a.?b`, `a[?i]`), which the parser does not know: `.?b` becomes `._b` and `[?i` becomes
 * `[ i`, so that all places stay what they are.
 */
export function findOptionals(text: string): ScannedText {
  const places = new Set<number>();
  let [depth, open] = [0, 0];
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at);
    const next = text.charAt(at + 1);
    const end =
      letter === '"' || letter === "'"
        ? endOfString(text, at)
        : letter === '/' && next === '/'
          ? endOfLine(text, at)
          : at;
    if (end > at) {
      out += text.slice(at, end);
      at = end - 1;
      continue;
    }
    if (openers.includes(letter)) open++;
    if (closers.includes(letter)) open--;
    depth = Math.max(depth, open);
    out += letter;
    // What opens a list may not be optional: the parser refuses it.
    if (next !== '?' || (letter !== '.' && !(letter === '[' && isAfterValue.test(text.slice(0, at)))))
      continue;
    places.add(at);
    out += letter === '.' ? '_' : ' ';
    at++;
  }
  return { text: out, places, depth };
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
