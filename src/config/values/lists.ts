import { type Parsed, refuse } from './parsed.ts';
import type { ValuePhrases } from './value-phrases.ts';

const token = /(?:"((?:[^"]|"")*)"|([^,"]*))(,|$)/y;

/** The parts of a comma list; a part with commas stands in quotes, as in CSV. */
export function parseList(text: string, phrases: Pick<ValuePhrases, 'bareQuote'>): Parsed<readonly string[]> {
  const parts = splitList(text);
  if (parts !== undefined) return { value: parts };
  const problem = phrases.bareQuote(text);
  return problem === undefined ? { value: text.split(',') } : refuse(problem);
}

/** Undefined when a quote encloses no part. */
function splitList(text: string): readonly string[] | undefined {
  if (text === '') return [];
  if (!text.includes('"')) return text.split(',');
  const parts: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return parts;
  }
  return undefined;
}

/** The list as `parseList` reads it back. */
export function formatList(parts: readonly string[]): string {
  return parts.map((part) => (/[",]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(',');
}
