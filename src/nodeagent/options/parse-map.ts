import { type Parsed, refuse } from './parsed.ts';

/** How the pairs of a map flag are written. */
interface PairShape<T> {
  readonly separator: '=' | '<' | ':';
  /** `string=bool`, for messages. */
  readonly shape: string;
  readonly parse: (text: string, key: string) => Parsed<T>;
}

/** `a=b,c=d` as a list of pairs; blanks around keys and values do not count. */
export function parsePairs<T>(
  text: string,
  { separator, shape, parse }: PairShape<T>,
): Parsed<[string, T][]> {
  const pairs: [string, T][] = [];
  for (const part of text.split(',').filter((entry) => entry !== '')) {
    const at = part.indexOf(separator);
    if (at < 0) return refuse(`malformed pair, expect ${shape}`);
    const key = part.slice(0, at).trim();
    const value = parse(part.slice(at + 1).trim(), key);
    if ('problem' in value) return value;
    pairs.push([key, value.value]);
  }
  return { value: pairs };
}

/** Labels: as pairs, but a lone name stands for the name with an empty value. */
export function parseLabelPairs(text: string): [string, string][] {
  return text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const [key = '', ...rest] = part.split('=');
      return [key.trim(), rest.join('=').trim()];
    });
}

/** A record without a prototype, so that no key of a user means anything else. Later pairs win. */
export function recordOf<T>(pairs: Iterable<readonly [string, T]>): Record<string, T> {
  const record: Record<string, T> = Object.create(null);
  for (const [key, value] of pairs) record[key] = value;
  return record;
}
