import { quoteGo } from '../../../machinery/errors/index.ts';
import type { LogOptions } from './log-options.ts';

const newline = 0x0a;

/** Selects and formats the lines of a log that are shown. */
export class LogWriter {
  readonly #options: LogOptions;
  readonly #write: (bytes: Buffer) => Promise<void>;
  #parse: ParseLogLine | undefined;
  #remainingBytes: number;
  #isAtLineStart = true;

  /** `write` takes a piece, and resolves when there may be more. */
  constructor(options: LogOptions, write: (bytes: Buffer) => Promise<void>) {
    this.#options = options;
    this.#write = write;
    this.#remainingBytes = options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether all that may be written was. */
  get isFull(): boolean {
    return this.#remainingBytes <= 0;
  }

  /** Writes lines, all at once. Those that cannot be read are left out. @throws Error when the first one is none of a log */
  async take(lines: readonly Buffer[]): Promise<boolean> {
    const shown: Buffer[] = [];
    for (const line of lines) {
      if (this.isFull) break;
      const entry = this.#read(line);
      if (entry === undefined || this.#isTooOld(entry)) continue;
      for (const piece of this.#shape(entry)) {
        const part = piece.length > this.#remainingBytes ? piece.subarray(0, this.#remainingBytes) : piece;
        this.#remainingBytes -= part.length;
        shown.push(part);
      }
    }
    if (shown.length > 0) await this.#write(Buffer.concat(shown));
    return !this.isFull;
  }

  #read(line: Buffer): LogLine | undefined {
    this.#parse ??= parserFor(line);
    if (this.#parse !== undefined) return this.#parse(line);
    const text = quoteGo(line.toString('utf8').slice(0, 200));
    throw new Error(`failed to get parse function: unsupported log format: ${text}`);
  }

  #isTooOld({ time }: LogLine): boolean {
    const { sinceMs } = this.#options;
    return sinceMs !== undefined && Date.parse(time) < sinceMs;
  }

  #shape({ time, content }: LogLine): readonly Buffer[] {
    const isAtLineStart = this.#isAtLineStart;
    this.#isAtLineStart = content.at(-1) === newline;
    if (!this.#options.timestamps || !isAtLineStart) return [content];
    return [Buffer.from(`${formatLogTime(time)} `, 'latin1'), content];
  }
}

/** One entry of a log file. */
interface LogLine {
  /** As the file has it, RFC 3339. */
  readonly time: string;
  /** With the end of line, unless the runtime broke a long line here. */
  readonly content: Buffer;
}

/** Reads one entry; undefined when it is none. */
type ParseLogLine = (line: Buffer) => LogLine | undefined;

const space = 0x20;
const dateTimeMark = 0x54; // T
const dateLength = 10;
const brace = 0x7b;
const streams: ReadonlySet<string> = new Set(['stdout', 'stderr']);

/** An entry as runtimes behind the container runtime interface write it: `time stream tags content`. */
function parseCriLine(line: Buffer): LogLine | undefined {
  const timeEnd = line.indexOf(space);
  const streamEnd = timeEnd < 0 ? -1 : line.indexOf(space, timeEnd + 1);
  const tagsEnd = streamEnd < 0 ? -1 : line.indexOf(space, streamEnd + 1);
  if (tagsEnd < 0 || line[dateLength] !== dateTimeMark) return undefined;
  if (!streams.has(line.toString('latin1', timeEnd + 1, streamEnd))) return undefined;
  // Further tags may follow the first one behind a colon.
  const isPartial = /^P(?::|$)/.test(line.toString('latin1', streamEnd + 1, tagsEnd));
  const end = isPartial && line.at(-1) === newline ? -1 : undefined;
  return { time: line.toString('latin1', 0, timeEnd), content: line.subarray(tagsEnd + 1, end) };
}

/** An entry as the engine's files have it: a JSON object with `log`, `stream` and `time`. */
function parseJsonLine(line: Buffer): LogLine | undefined {
  if (line[0] !== brace) return undefined;
  try {
    const { log, time } = JSON.parse(line.toString('utf8')) as Readonly<Record<string, unknown>>;
    if (typeof log !== 'string' || typeof time !== 'string') return undefined;
    return { time, content: Buffer.from(log, 'utf8') };
  } catch {
    return undefined; // damaged
  }
}

/** The format of a file, told by its first line. */
function parserFor(line: Buffer): ParseLogLine | undefined {
  return [parseCriLine, parseJsonLine].find((parse) => parse(line) !== undefined);
}

/** A time with nine digits after the second, as logs show it. */
function formatLogTime(time: string): string {
  const match = /^(.*?)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(time);
  if (match === null) return time;
  return `${match[1]}.${(match[2] ?? '').padEnd(9, '0').slice(0, 9)}${match[3]}`;
}
