import { isJsonObject } from '../../base/index.ts';
import { parseBool } from '../../machinery/go-values/index.ts';
import type { Exchange } from './exchange.ts';
import type { Representation } from './negotiate.ts';

const readers = ['curl', 'Wget', 'Mozilla/5.0'];

/**
 * Whether JSON is written for people: when the query or the media type says so, or the client is one that people read
 * the answers of. Clients of the last kind can refuse with `pretty=false`.
 */
export function wantsPretty({ query, request }: Exchange, { encoding, isPretty }: Representation): boolean {
  if (encoding !== 'json') return false;
  if (isPretty) return true;
  const asked = query.size === 0 ? null : query.get('pretty');
  if (asked !== null && asked !== '') return parseBool(asked) === true;
  const agent = request.headers['user-agent'];
  return agent !== undefined && readers.some((reader) => agent.startsWith(reader));
}

/**
 * JSON in lines, as release 1.20 writes it for people: two spaces for each level, a blank line in empty objects, sets
 * of owned fields in one line. `level` is that of the line that the value begins in.
 */
export function prettyJson(value: unknown, level = 0): string {
  const out: string[] = [];
  write(out, value, `\n${'  '.repeat(level)}`);
  return out.join('');
}

/** `lineStart` is the end of a line with the indentation of the next one. */
function write(out: string[], value: unknown, lineStart: string): void {
  const inner = `${lineStart}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) {
      out.push('[]');
      return;
    }
    for (const [index, item] of value.entries()) {
      out.push(index === 0 ? '[' : ',', inner);
      write(out, item, inner);
    }
    out.push(lineStart, ']');
    return;
  }
  if (!isJsonObject(value)) {
    out.push(JSON.stringify(value));
    return;
  }
  let separator = '{';
  for (const [name, item] of Object.entries(value)) {
    if (item === undefined) continue;
    out.push(separator, inner, JSON.stringify(name), ': ');
    separator = ',';
    if (name === 'fieldsV1') out.push(JSON.stringify(item));
    else write(out, item, inner);
  }
  if (separator === '{') out.push('{', inner);
  out.push(lineStart, '}');
}
