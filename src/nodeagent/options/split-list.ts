import { quoteGo } from '../../machinery/errors/index.ts';
import { type Parsed, refuse } from './parsed.ts';

const token = /(?:"((?:[^"]|"")*)"|([^,"]*))(,|$)/y;

/** The parts of a comma list; a part with commas stands in quotes. */
export function splitList(text: string): Parsed<readonly string[]> {
  if (text === '') return { value: [] };
  if (!text.includes('"')) return { value: text.split(',') };
  const parts: string[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    parts.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '') return { value: parts };
  }
  return refuse(`bare quote in ${quoteGo(text)}`);
}
