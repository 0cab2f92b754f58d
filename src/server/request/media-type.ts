/** One entry of an `Accept` header, or a `Content-Type`. */
export interface MediaRange {
  /** `type/subtype` in lower case. */
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly quality: number;
}

/** Parses an `Accept` header's ranges, best first; ranges that make no sense are left out. */
export function parseAccept(header: string): MediaRange[] {
  const ranges: MediaRange[] = [];
  for (const part of header.split(',')) {
    const range = parseMediaType(part);
    if (range !== undefined && range.quality > 0) ranges.push(range);
  }
  return ranges.sort((a, b) => b.quality - a.quality);
}

/** Parses `type/subtype; name=value`; undefined when there is no type. */
export function parseMediaType(text: string): MediaRange | undefined {
  const [first = '', ...rest] = text.split(';');
  const type = first.trim().toLowerCase();
  if (!/^[^\s/]+\/[^\s/]+$/.test(type)) return undefined;
  const parameters: Record<string, string> = {};
  let quality = 1;
  for (const item of rest) {
    const at = item.indexOf('=');
    if (at < 0) continue;
    const name = item.slice(0, at).trim().toLowerCase();
    const value = item
      .slice(at + 1)
      .trim()
      .replace(/^"|"$/g, '');
    if (name === 'q') quality = Number(value);
    else parameters[name] = value;
  }
  return { type, parameters, quality: Number.isFinite(quality) ? Math.min(Math.max(quality, 0), 1) : 1 };
}
