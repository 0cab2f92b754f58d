import { quoteGo } from '../../machinery/errors/index.ts';
import { integerShapes, type Parsed, parseInteger, refuse, type ValuePhrases } from '../values/index.ts';

const severities = ['INFO', 'WARNING', 'ERROR', 'FATAL'];

/** A severity by name or number. */
export function parseSeverity(text: string, phrases: Pick<ValuePhrases, 'integer'>): Parsed<number> {
  const index = severities.indexOf(text.toUpperCase());
  return index < 0 ? parseInteger(text, integerShapes.int32, phrases) : { value: index };
}

/** `file.go:234`; empty for none. */
export function parseTraceLocation(text: string): Parsed<string> {
  if (text === '') return { value: text };
  const match = /^([^:]*\.[^:]*):([+-]?\d+)$/.exec(text);
  if (match === null) return refuse('syntax error: expect file.go:234');
  return Number(match[2]) > 0 ? { value: text } : refuse('negative or zero value for level');
}

/** `pattern=N,...`: files whose names match are logged at that level. */
export function parseModuleSpec(text: string): Parsed<string> {
  for (const part of text.split(',').filter((entry) => entry !== '')) {
    const [pattern = '', level, ...rest] = part.split('=');
    if (pattern === '' || level === undefined || level === '' || rest.length > 0) {
      return refuse('syntax error: expect comma-separated list of filename=N');
    }
    if (!/^[+-]?\d+$/.test(level)) {
      return refuse(
        `syntax error: expect comma-separated list of filename=N: strconv.Atoi: parsing ${quoteGo(level)}`,
      );
    }
    if (level.startsWith('-')) return refuse('negative value for vmodule level');
  }
  return { value: text };
}
