import { type Cursor, endsWord, isBlank, isBreak } from './cursor.ts';

/** What stands between two words, and whether a line ends in it. */
class Gap {
  #blanks = '';
  #first = '';
  #further = '';
  #hasBreak = false;

  get hasBreak(): boolean {
    return this.#hasBreak;
  }

  /** A break that adds nothing. */
  startLine(): void {
    this.#hasBreak = true;
  }

  /** Takes blanks and breaks; `onBlank` sees each blank behind a break. */
  take(cursor: Cursor, onBlank?: (letter: string) => void): void {
    for (let letter = cursor.peek(); isBlank(letter) || isBreak(letter); letter = cursor.peek()) {
      if (isBreak(letter)) {
        if (this.#hasBreak) this.#further += cursor.takeBreak();
        else this.#first = cursor.takeBreak();
        this.#hasBreak = true;
      } else {
        if (this.#hasBreak) onBlank?.(letter);
        else this.#blanks += letter;
        cursor.skip();
      }
    }
  }

  /** What it reads as: a line break is a blank, and further ones stand for themselves. */
  get text(): string {
    if (!this.#hasBreak) return this.#blanks;
    return this.#first === '\n' ? this.#further || ' ' : this.#first + this.#further;
  }
}

const flowIndicators = new Set([',', '?', '[', ']', '{', '}']);

/** Text without quotes. `endsLine` when a line ends behind it. @throws BodySyntaxError */
export function scanPlain(
  cursor: Cursor,
  indent: number,
  isInFlow: boolean,
): { readonly text: string; readonly endsLine: boolean } {
  let text = '';
  let gap = new Gap();
  const isWanted = (letter: string): boolean =>
    !(
      endsWord(letter) ||
      (letter === ':' && endsWord(cursor.peek(1))) ||
      (isInFlow && flowIndicators.has(letter))
    );
  for (;;) {
    if (cursor.isAtDocumentMark() || cursor.peek() === '#') break;
    const word = cursor.takeWhile(isWanted);
    if (word !== '') {
      text += gap.text + word;
      gap = new Gap();
    }
    const next = cursor.peek();
    if (!isBlank(next) && !isBreak(next)) break;
    gap.take(cursor, (letter) => {
      if (letter === '\t' && cursor.column < indent)
        cursor.fail('found a tab character that violates indentation');
    });
    if (!isInFlow && cursor.column < indent) break;
  }
  return { text, endsLine: gap.hasBreak };
}

const escapes: Readonly<Record<string, string>> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const codeLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** Text in quotes, the cursor standing on the first. @throws BodySyntaxError */
export function scanQuoted(cursor: Cursor, quote: '"' | "'"): string {
  cursor.skip();
  let text = '';
  for (;;) {
    if (cursor.isAtDocumentMark()) cursor.fail('found unexpected document indicator');
    if (cursor.peek() === '') cursor.fail('found unexpected end of stream');
    const gap = new Gap();
    while (!endsWord(cursor.peek())) {
      text += cursor.takeWhile((letter) => !endsWord(letter) && letter !== quote && letter !== '\\');
      const letter = cursor.peek();
      if (letter === '\\' && quote === '"') {
        if (isBreak(cursor.peek(1))) {
          cursor.skip();
          cursor.takeBreak();
          gap.startLine();
          break;
        }
        text += scanEscape(cursor);
      } else if (letter === '\\') {
        text += letter;
        cursor.skip();
      } else if (letter === quote) {
        if (quote === '"' || cursor.peek(1) !== quote) break;
        text += quote;
        cursor.skip(2);
      }
    }
    if (cursor.peek() === quote) break;
    gap.take(cursor);
    text += gap.text;
  }
  cursor.skip();
  return text;
}

function scanEscape(cursor: Cursor): string {
  const letter = cursor.peek(1);
  const length = codeLengths[letter];
  const plain = escapes[letter];
  if (length === undefined) {
    if (plain === undefined) cursor.fail('found unknown escape character');
    cursor.skip(2);
    return plain;
  }
  cursor.skip(2);
  let digits = '';
  while (digits.length < length) {
    const digit = cursor.peek(digits.length);
    if (!/^[\da-fA-F]$/.test(digit)) cursor.fail('did not find expected hexdecimal number');
    digits += digit;
  }
  const code = Number.parseInt(digits, 16);
  if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff)
    cursor.fail('found invalid Unicode character escape code');
  cursor.skip(length);
  return String.fromCodePoint(code);
}
