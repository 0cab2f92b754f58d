/** A media type with its parameters, as in `Content-Type` and in the entries of `Accept`. */
export interface MediaRange {
  /** `type/subtype`. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/**
 * Parses an `Accept` header's ranges, best first and wildcards last among equals; what is no range is left out. As in
 * release 1.20, case matters here, and a quality is any number: zero is last, not refused.
 */
export function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const part of header.split(',')) {
    const [first = '', ...rest] = part.split(';');
    const type = first.trim() === '*' ? '*/*' : first.trim();
    if (type.split('/').length !== 2) continue;
    const { q, ...parameters } = parseParameters(rest);
    ranges.push({ type, parameters, quality: q === undefined ? 1 : Number(q) || 0 });
  }
  return ranges.sort((a, b) => b.quality - a.quality || wildness(a) - wildness(b));
}

function wildness({ type }: MediaRange): number {
  if (type.startsWith('*/')) return 2;
  return type.endsWith('/*') ? 1 : 0;
}

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
