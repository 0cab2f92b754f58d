/** A media type with its parameters, as in `Content-Type` and in the entries of `Accept`. */
export interface MediaRange {
  /** `type/subtype`. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/**
 * Parses an `Accept` header's ranges, best first and wildcards last among equals; what is no range is left out. As in
 * release 1.20, case matters here, only spaces are no part of a word, quotes are, and a quality is any number: zero is
 * last, not refused.
 */
export function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const part of header.split(',')) {
    const [first = '', ...rest] = part.split(';');
    const [main = '', sub = '', ...more] = first.split('/').map(trimSpaces);
    if (more.join('/') !== '' || (sub === '' && main !== '*')) continue;
    const { q, ...parameters } = acceptParameters(rest);
    const range = {
      type: `${main}/${sub === '' ? '*' : sub}`,
      parameters,
      quality: q === undefined ? 1 : Number(q) || 0,
    };
    ranges.splice(placeOf(range, ranges), 0, range);
  }
  return ranges;
}

/**
 * Where a range stands among sorted ones. What comes before what is no order, so it is asked of neighbours from the end,
 * as release 1.20 does with up to a dozen: a type is before a wildcard of better quality.
 */
function placeOf(range: MediaRange, sorted: readonly MediaRange[]): number {
  let place = sorted.length;
  for (; place > 0; place--) {
    const before = sorted[place - 1];
    if (before === undefined || !isBefore(range, before)) break;
  }
  return place;
}

const isBefore = (a: MediaRange, b: MediaRange): boolean =>
  a.quality > b.quality ||
  (!a.type.startsWith('*/') && b.type.startsWith('*/')) ||
  (!a.type.endsWith('/*') && b.type.endsWith('/*'));

/** Items without a value, or with more than one `=`, count for nothing. */
function acceptParameters(items: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const item of items) {
    const [name = '', value = '', more = ''] = item.split('=');
    const key = trimSpaces(name);
    if (value === '' || more !== '' || key === '__proto__') continue;
    parameters[key] = key === 'q' ? value : trimSpaces(value);
  }
  return parameters;
}

const trimSpaces = (text: string): string => text.replace(/^ +| +$/g, '');

/** Parses `type/subtype; name=value` of a body, without regard to case; undefined when it is not of this form. */
export function parseMediaType(text: string): Omit<MediaRange, 'quality'> | undefined {
  const [first = '', ...rest] = text.split(';');
  const type = first.trim().toLowerCase();
  // One semicolon at the end is taken, as Go's parser does.
  if (rest.at(-1)?.trim() === '') rest.pop();
  if (!isType.test(type) || !rest.every((item) => isParameter.test(item))) return undefined;
  return { type, parameters: parseParameters(rest) };
}

const isType = /^[^\s/]+\/[^\s/]+$/;
const isParameter = /^\s*[^\s=]+\s*=\s*(?:[^\s"]+|"[^"]*")\s*$/;

function parseParameters(items: readonly string[]): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const item of items) {
    const at = item.indexOf('=');
    if (at < 0) continue;
    const name = item.slice(0, at).trim().toLowerCase();
    const value = item.slice(at + 1).trim();
    if (name !== '__proto__') parameters[name] = value.replace(/^"|"$/g, '');
  }
  return parameters;
}
