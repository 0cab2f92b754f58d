import { type Parsed, refuse } from './parsed.ts';
import type { QuoteFault, ValuePhrases } from './value-phrases.ts';

const token = /(?:"((?:[^"]|"")*)"|([^,"]*))(,|$)/y;

/** The parts of a comma list; a part with commas stands in quotes, as in CSV. */
export function parseList(text: string, phrases: Pick<ValuePhrases, 'bareQuote'>): Parsed<readonly string[]> {
  const parts = splitList(text);
  if (!('column' in parts)) return { value: parts };
  const problem = phrases.bareQuote(parts);
  return problem === undefined ? { value: text.split(',') } : refuse(problem);
}

function splitList(text: string): readonly string[] | QuoteFault {
  if (text === '') return [];
  if (!text.includes('"')) return text.split(',');
  const parts: string[] = [];
  token.lastIndex = 0;
  for (let start = 0; ; start = token.lastIndex) {
    const match = token.exec(text);
    if (match === null) return quoteFault(text, start);
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return parts;
  }
}

/** Of the part that begins at `start`. */
function quoteFault(text: string, start: number): QuoteFault {
  const [quoted] = /^"(?:[^"]|"")*/.exec(text.slice(start)) ?? [];
  const at = quoted === undefined ? text.indexOf('"', start) : start + quoted.length;
  return { column: Buffer.byteLength(text.slice(0, at)) + 1, isInQuotes: quoted !== undefined };
}

/** The list as `parseList` reads it back. */
export function formatList(parts: readonly string[]): string {
  return parts.map((part) => (/[",]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(',');
}
