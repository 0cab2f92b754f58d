import { formatLogTime, type LogLine, type ParseLogLine, parserFor } from './log-line.ts';
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
    const text = JSON.stringify(line.toString('utf8').slice(0, 200));
    throw new Error(`unsupported log format: ${text}`);
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
