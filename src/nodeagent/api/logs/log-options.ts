/** Options of a request for a container's log (`PodLogOptions`). */
export interface LogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  /** At most so many lines from the end of the file. */
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Nothing older; since the Unix epoch. */
  readonly sinceMs: number | undefined;
}

/** Why a query says nothing usable. */
export type LogOptionsProblem = 'undecodable' | 'invalid';

const wholeNumber = /^[+-]?\d{1,19}$/;
const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;

/** Reads the options of a log from a query. Rules are those of `PodLogOptions`, and `tail` is the old `tailLines`. */
export function parseLogOptions(query: URLSearchParams, nowMs: number): LogOptions | LogOptionsProblem {
  const tail = query.get('tail') ?? '';
  const tailText = tail === '' ? query.get('tailLines') : tail === 'all' ? null : tail;
  const tailLines = parseNumber(tailText);
  const limitBytes = parseNumber(query.get('limitBytes'));
  const sinceSeconds = parseNumber(query.get('sinceSeconds'));
  const sinceTimeMs = parseTime(query.get('sinceTime'));
  if ([tailLines, limitBytes, sinceSeconds, sinceTimeMs].includes(Number.NaN)) return 'undecodable';
  if (isBelow(tailLines, 0) || isBelow(limitBytes, 1) || isBelow(sinceSeconds, 1)) return 'invalid';
  if (sinceSeconds !== undefined && sinceTimeMs !== undefined) return 'invalid';
  return {
    follow: parseFlag(query.get('follow')),
    previous: parseFlag(query.get('previous')),
    timestamps: parseFlag(query.get('timestamps')),
    tailLines,
    limitBytes,
    sinceMs: sinceSeconds === undefined ? sinceTimeMs : nowMs - sinceSeconds * 1000,
  };
}

const isBelow = (value: number | undefined, least: number): boolean => value !== undefined && value < least;

/** NaN for what is no number. */
function parseNumber(text: string | null): number | undefined {
  if (text === null) return undefined;
  return wholeNumber.test(text) ? Number(text) : Number.NaN;
}

/** NaN for what is no time. */
function parseTime(text: string | null): number | undefined {
  if (text === null || text === '' || text === 'null') return undefined;
  return rfc3339.test(text) ? Date.parse(text) : Number.NaN;
}

/** Anything but `false` and `0` is true, empty text too. */
function parseFlag(text: string | null): boolean {
  return text !== null && text !== '0' && text.toLowerCase() !== 'false';
}
