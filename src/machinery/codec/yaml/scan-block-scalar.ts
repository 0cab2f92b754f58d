import { type Cursor, isBlank, isBreak } from './cursor.ts';

/** Text of whole lines behind `|` or `>`, on which the cursor stands. @throws BodySyntaxError */
export function scanBlockScalar(cursor: Cursor, parentIndent: number): string {
  const isLiteral = cursor.peek() === '|';
  cursor.skip();
  const { keeps, drops, increment } = scanHeader(cursor);
  let indent = increment > 0 ? Math.max(parentIndent, 0) + increment : 0;
  let text = '';
  let lastBreak = '';
  let wasMoreIndented = false;
  const lines = takeEmptyLines(cursor, indent, parentIndent);
  indent = lines.indent;
  let empty = lines.breaks;
  while (cursor.column === indent && cursor.peek() !== '') {
    const isMoreIndented = isBlank(cursor.peek());
    if (!isLiteral && !wasMoreIndented && !isMoreIndented && lastBreak === '\n') {
      if (empty === '') text += ' ';
    } else text += lastBreak;
    wasMoreIndented = isMoreIndented;
    text += empty + cursor.takeWhile((letter) => !isBreak(letter));
    lastBreak = cursor.takeBreak();
    empty = takeEmptyLines(cursor, indent, parentIndent).breaks;
  }
  if (!drops) text += lastBreak;
  return keeps ? text + empty : text;
}

interface Header {
  readonly keeps: boolean;
  readonly drops: boolean;
  /** Columns that lines are indented; 0 when they say it themselves. */
  readonly increment: number;
}

function scanHeader(cursor: Cursor): Header {
  let chomping = takeChomping(cursor);
  const digit = /^\d$/.test(cursor.peek()) ? cursor.peek() : '';
  if (digit === '0') cursor.fail('found an indentation indicator equal to 0');
  if (digit !== '') cursor.skip();
  if (digit !== '' && chomping === '') chomping = takeChomping(cursor);
  cursor.takeWhile(isBlank);
  cursor.skipComment();
  const next = cursor.peek();
  if (next !== '' && !isBreak(next)) cursor.fail('did not find expected comment or line break');
  cursor.takeBreak();
  return { keeps: chomping === '+', drops: chomping === '-', increment: Number(digit) };
}

function takeChomping(cursor: Cursor): string {
  const sign = cursor.peek();
  if (sign !== '+' && sign !== '-') return '';
  cursor.skip();
  return sign;
}

/** Lines of blanks alone, and the indentation: the given one, or that of the first line with text. */
function takeEmptyLines(
  cursor: Cursor,
  indent: number,
  parentIndent: number,
): { readonly breaks: string; readonly indent: number } {
  let breaks = '';
  let deepest = 0;
  const isLeft = (): boolean => indent === 0 || cursor.column < indent;
  for (;;) {
    cursor.takeWhile((letter) => letter === ' ' && isLeft());
    deepest = Math.max(deepest, cursor.column);
    if (cursor.peek() === '\t' && isLeft())
      cursor.fail('found a tab character where an indentation space is expected');
    if (!isBreak(cursor.peek())) break;
    breaks += cursor.takeBreak();
  }
  return { breaks, indent: indent > 0 ? indent : Math.max(deepest, parentIndent + 1, 1) };
}
