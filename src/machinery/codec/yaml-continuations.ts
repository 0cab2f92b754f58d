import { parseEvents, YAMLException } from 'js-yaml';
import { maxBodyDepth } from './parse-json.ts';

/** The YAML reader's words for a line that begins too far left. */
const reason = 'deficient indentation';

/** Its words for a text that ends within something, and what that is. */
const openEnds: Readonly<Record<string, '"' | "'" | 'brackets'>> = {
  'unexpected end of the stream within a double quoted scalar': '"',
  'unexpected end of the stream within a single quoted scalar': "'",
  'unexpected end of the stream within a flow collection': 'brackets',
};

/** Columns that lines are moved at most. */
const maxColumns = 1000;
/** Letters that may be added, so that nobody makes a long text of a short one. */
const maxAdded = 1_000_000;

/**
 * Lines of quoted text and of what is in brackets may begin anywhere for go-yaml 2, whose indentation there means nothing; YAML 1.2
 * and its reader want them right of what they belong to. Moves those of the one that the reader failed at, and gives the
 * text that may be read then; undefined where it failed for another reason.
 */
export function indentContinuations(text: string, error: unknown): string | undefined {
  if (!(error instanceof YAMLException) || error.reason !== reason || error.mark === undefined)
    return undefined;
  const { position } = error.mark;
  const start = Math.max(text.lastIndexOf('\n', position - 1), text.lastIndexOf('\r', position - 1)) + 1;
  const before = text.slice(0, start);
  const columns = deepestColumn(before);
  if (columns > maxColumns) return undefined;
  const open = openEndOf(before + ' '.repeat(columns));
  if (open === undefined) return undefined;
  // The end of the text is nobody's continuation, and says what is open.
  if (text.slice(start).trim() === '') return before + ' '.repeat(columns);
  const end = open === 'brackets' ? endOfBrackets(text, position) : endOfQuoted(text, position, open);
  const moved = text.slice(start, end).replace(/^[ \t]*(?=[^ \t\r\n])/gm, ' '.repeat(columns));
  if (moved.length > end - start + maxAdded) return undefined;
  return before + moved + text.slice(end);
}

function openEndOf(text: string): (typeof openEnds)[string] | undefined {
  try {
    parseEvents(text, { maxDepth: maxBodyDepth });
    return undefined;
  } catch (error) {
    return error instanceof YAMLException ? openEnds[error.reason] : undefined;
  }
}

/** A column right of all that lines have begun with: blanks, dashes and question marks. */
const deepestColumn = (text: string): number =>
  text.match(/^[ \t?-]*/gm)?.reduce((most, { length }) => Math.max(most, length + 1), 1) ?? 1;

/** Behind the quote that ends a quoted text. */
function endOfQuoted(text: string, from: number, quote: '"' | "'"): number {
  for (let at = from; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++;
    else if (text[at] === quote && quote === "'" && text[at + 1] === quote) at++;
    else if (text[at] === quote) return at + 1;
  }
  return text.length;
}

/** Behind the bracket that closes the innermost one which is open. What is outside of it is another one's. */
function endOfBrackets(text: string, from: number): number {
  let depth = 1;
  // Quotes and hashes within plain text are letters.
  let isPlain = false;
  for (let at = from; at < text.length; at++) {
    const letter = text[at] ?? '';
    const isBehindBlank = /[\s,[\]{}:"']/.test(text[at - 1] ?? ' ');
    if (letter === '[' || letter === '{') depth++;
    else if ((letter === ']' || letter === '}') && --depth === 0) return at + 1;
    else if (letter === '#' && /\s/.test(text[at - 1] ?? ' ')) at = endOfLine(text, at);
    else if ((letter === '"' || letter === "'") && !isPlain && isBehindBlank) {
      at = endOfQuoted(text, at + 1, letter) - 1;
      continue;
    }
    if (/[,[\]{}]/.test(letter) || (letter === ':' && (!isPlain || /[\s,[\]{}]/.test(text[at + 1] ?? ' '))))
      isPlain = false;
    else if (/\S/.test(letter)) isPlain = true;
  }
  return text.length;
}

function endOfLine(text: string, from: number): number {
  const end = text.slice(from).search(/[\r\n]/);
  return end < 0 ? text.length : from + end;
}
