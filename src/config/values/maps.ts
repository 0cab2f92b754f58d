import { parseBool } from '../../machinery/go-values/index.ts';
import { parseList } from './lists.ts';
import { type Parsed, refuse } from './parsed.ts';
import type { ValuePhrases } from './value-phrases.ts';

/** How the pairs of a map are written. */
export interface PairShape {
  readonly separator: '=' | '<' | ':';
  /** What a pair's value is, for messages: `bool` in `string=bool`. */
  readonly valueName?: 'string' | 'bool';
  /** The value of a name that stands alone; without it such a part is refused. */
  readonly loneValue?: string | undefined;
}

type PairParser<T> = (text: string, key: string) => Parsed<T>;

/** `a=b,c=d` as a list of pairs; blanks around names and values do not count, nor do empty parts. */
function parsePairs<T>(
  text: string,
  { separator, valueName = 'string', loneValue }: PairShape,
  parse: PairParser<T>,
  phrases: ValuePhrases,
): Parsed<readonly [string, T][]> {
  const parts = parseList(text, { bareQuote: () => undefined });
  if ('problem' in parts) return parts;
  const pairs: [string, T][] = [];
  for (const part of parts.value.filter((entry) => entry !== '')) {
    const at = part.indexOf(separator);
    const written = at < 0 ? loneValue : part.slice(at + 1).trim();
    if (written === undefined) return refuse(phrases.lonePart(part, `string${separator}${valueName}`));
    const key = (at < 0 ? part : part.slice(0, at)).trim();
    const nameless = key === '' ? phrases.namelessPart(part) : undefined;
    if (nameless !== undefined) return refuse(nameless);
    const value = parse(written, key);
    if ('problem' in value) return value;
    pairs.push([key, value.value]);
  }
  return { value: pairs };
}

/** Names to texts. */
export function parseTextMap(
  text: string,
  shape: PairShape,
  phrases: ValuePhrases,
): Parsed<Readonly<Record<string, string>>> {
  return asRecord(parsePairs(text, shape, (value) => ({ value }), phrases));
}

/** Names to truths. */
export function parseBoolMap(text: string, phrases: ValuePhrases): Parsed<Readonly<Record<string, boolean>>> {
  const parse: PairParser<boolean> = (written, key) => {
    const value = parseBool(written);
    if (value !== undefined) return { value };
    return refuse(phrases.mapEntry({ key, text: written, problem: phrases.bool(written) }));
  };
  return asRecord(parsePairs(text, { separator: '=', valueName: 'bool' }, parse, phrases));
}

/** Names to all the texts that are given for them, in their order. */
export function parseMultiMap(
  text: string,
  shape: PairShape,
  phrases: ValuePhrases,
): Parsed<Readonly<Record<string, readonly string[]>>> {
  const pairs = parsePairs(text, shape, (value) => ({ value }), phrases);
  if ('problem' in pairs) return pairs;
  return {
    value: recordOf(
      [...Map.groupBy(pairs.value, ([name]) => name)].map(([name, group]) => [
        name,
        group.map(([, value]) => value),
      ]),
    ),
  };
}

function asRecord<T>(pairs: Parsed<readonly [string, T][]>): Parsed<Readonly<Record<string, T>>> {
  return 'problem' in pairs ? pairs : { value: recordOf(pairs.value) };
}

/** A record without a prototype, so that no name of a user means anything else. Later pairs win. */
export function recordOf<T>(pairs: Iterable<readonly [string, T]>): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of pairs) record[key] = value;
  return record;
}
