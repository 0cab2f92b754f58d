/** One entry of a log file. */
export interface LogLine {
  /** As the file has it. */
  readonly time: string;
  readonly timeMs: number;
  readonly stream: string;
  /** With the end of line, unless the runtime broke a long line here. */
  readonly content: Buffer;
}

/** Reads one entry; undefined when it is none. */
export type ParseLogLine = (line: Buffer) => LogLine | undefined;

const space = 0x20;
const newline = 0x0a;

/** An entry as runtimes behind the container runtime interface write it: `time stream tags content`. */
export function parseCriLine(line: Buffer): LogLine | undefined {
  const afterTime = line.indexOf(space);
  const afterStream = afterTime < 0 ? -1 : line.indexOf(space, afterTime + 1);
  if (afterStream < 0) return undefined;
  const time = line.toString('latin1', 0, afterTime);
  const timeMs = Date.parse(time);
  const stream = line.toString('latin1', afterTime + 1, afterStream);
  if (Number.isNaN(timeMs) || (stream !== 'stdout' && stream !== 'stderr')) return undefined;
  const afterTags = line.indexOf(space, afterStream + 1);
  // A container that wrote an empty line: some writers leave the last space out.
  if (afterTags < 0) return undefined;
  const [tag] = line.toString('latin1', afterStream + 1, afterTags).split(':');
  const isPartial = tag === 'P';
  const hasEnd = line.at(-1) === newline;
  const content = line.subarray(afterTags + 1, isPartial && hasEnd ? -1 : undefined);
  return { time, timeMs, stream, content };
}

/** An entry as the engine's files have it: a JSON object with `log`, `stream` and `time`. */
export function parseJsonLine(line: Buffer): LogLine | undefined {
  if (line[0] !== 0x7b) return undefined;
  try {
    const { log, stream, time } = JSON.parse(line.toString('utf8')) as Readonly<Record<string, unknown>>;
    if (typeof log !== 'string' || typeof time !== 'string') return undefined;
    const timeMs = Date.parse(time);
    if (Number.isNaN(timeMs)) return undefined;
    return { time, timeMs, stream: String(stream ?? ''), content: Buffer.from(log, 'utf8') };
  } catch {
    return undefined; // the beginning of an entry that is still being written
  }
}

/** The format of a file, told by its first line. */
export function parserFor(line: Buffer): ParseLogLine | undefined {
  return [parseCriLine, parseJsonLine].find((parse) => parse(line) !== undefined);
}

/** A time with nine digits after the second, as logs show it. */
export function formatLogTime(time: string): string {
  const match = /^(.*?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(time);
  if (match === null) return time;
  return `${match[1]}.${(match[2] ?? '').padEnd(9, '0').slice(0, 9)}${match[3]}`;
}
