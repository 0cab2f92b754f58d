import { watch } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../../base/index.ts';
import { formatLogTime, type LogLine, type ParseLogLine, parserFor } from './log-line.ts';
import type { LogOptions } from './log-options.ts';
import { findTailStart } from './tail-start.ts';

export interface ReadLogOptions {
  /** The container's log file. */
  readonly path: string;
  readonly options: LogOptions;
  /** Takes a piece; resolves when there may be more. */
  readonly write: (bytes: Buffer) => Promise<void>;
  /** Whether more may be written. Asked from time to time while the log is followed. */
  readonly isRunning: () => Promise<boolean>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

const blockBytes = 64 * 1024;
/** A longer line is no line of a log. */
const maxLineBytes = 4 * 1024 * 1024;
/** How long a log that nobody writes to is left alone while it is followed. */
const lookAgainMs = 1000;
const newline = 0x0a;

/**
 * Writes a container's log: from the wanted line or time on, and while it is followed whatever is added, over rotations
 * of the file, until the container has ended. Entries that cannot be read are left out.
 *
 * @throws Error when the file cannot be read, or is no log
 */
export async function readLog(request: ReadLogOptions): Promise<void> {
  const { path, options, signal } = request;
  const writer = new LogWriter(request);
  let file = await open(path, 'r');
  try {
    let position = options.tailLines === undefined ? 0 : await findTailStart(file, options.tailLines);
    const lines = new LineReader();
    for (;;) {
      const wasRunning = options.follow && (await request.isRunning());
      position = await lines.read(file, position, (line) => writer.take(line), signal);
      if (writer.isFull || signal.aborted) return;
      const next = await reopenWhenReplaced(file, path, position);
      if (next !== undefined) {
        await file.close();
        file = next;
        position = 0;
      } else if (wasRunning) {
        await awaitChange(path, request);
      } else {
        await lines.finish((line) => writer.take(line));
        return;
      }
      if (signal.aborted) return;
    }
  } finally {
    await file.close();
  }
}

/** The file that took the place of one that was rotated, when all of the old one was read. */
async function reopenWhenReplaced(
  file: FileHandle,
  path: string,
  position: number,
): Promise<FileHandle | undefined> {
  const next = await open(path, 'r').catch(() => undefined); // in the middle of a rotation there is none
  if (next === undefined) return undefined;
  const [was, is] = await Promise.all([file.stat(), next.stat()]);
  const isSame = was.ino === is.ino && was.dev === is.dev;
  if (!isSame && position >= was.size) return next;
  await next.close();
  return undefined;
}

/** Resolves when the folder of the log has changed, at the latest after a while. */
function awaitChange(path: string, { clock, signal }: ReadLogOptions): Promise<void> {
  return new Promise((resolve) => {
    const watcher = watchFolder(dirname(path), () => finish());
    const cancel = clock.setTimer(lookAgainMs, () => finish());
    const finish = (): void => {
      cancel();
      watcher?.close();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    if (signal.aborted) finish();
    else signal.addEventListener('abort', finish, { once: true });
  });
}

/** Undefined where files cannot be watched: then time has to do. */
function watchFolder(path: string, onChange: () => void) {
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined; // the folder has gone, or there are too many watches
  }
}

/** Cuts a file into lines, however it is written. */
class LineReader {
  readonly #block = Buffer.alloc(blockBytes);
  #rest: Buffer = Buffer.alloc(0);

  /** Hands on every whole line from a position on; gives where it has come to. */
  async read(
    file: FileHandle,
    from: number,
    onLine: (line: Buffer) => Promise<boolean>,
    signal: AbortSignal,
  ): Promise<number> {
    for (let position = from; ; ) {
      const { bytesRead } = await file.read(this.#block, 0, blockBytes, position);
      if (bytesRead === 0 || signal.aborted) return position;
      position += bytesRead;
      const text = Buffer.concat([this.#rest, this.#block.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = text.indexOf(newline); end >= 0; end = text.indexOf(newline, start)) {
        const goesOn = await onLine(text.subarray(start, end + 1));
        if (!goesOn) return position;
        start = end + 1;
      }
      this.#rest = text.subarray(start);
      if (this.#rest.length > maxLineBytes) throw new Error('unsupported log format: a line without end');
    }
  }

  /** Hands on a last line that has no end. */
  async finish(onLine: (line: Buffer) => Promise<boolean>): Promise<void> {
    if (this.#rest.length > 0) await onLine(this.#rest);
    this.#rest = Buffer.alloc(0);
  }
}

/** Chooses and shapes what is shown of lines. */
class LogWriter {
  readonly #request: ReadLogOptions;
  #parse: ParseLogLine | undefined;
  #remainingBytes: number;
  #isAtLineStart = true;

  constructor(request: ReadLogOptions) {
    this.#request = request;
    this.#remainingBytes = request.options.limitBytes ?? Number.POSITIVE_INFINITY;
  }

  /** Whether all that may be written was. */
  get isFull(): boolean {
    return this.#remainingBytes <= 0;
  }

  /** False when nothing more is wanted. @throws Error when the first line is none of a log */
  async take(line: Buffer): Promise<boolean> {
    this.#parse ??= parserFor(line);
    if (this.#parse === undefined) {
      throw new Error(`unsupported log format: ${JSON.stringify(line.toString('utf8').slice(0, 200))}`);
    }
    const entry = this.#parse(line);
    const { options, signal, write } = this.#request;
    if (entry === undefined || (options.sinceMs !== undefined && entry.timeMs < options.sinceMs)) return true;
    const shown = this.#shape(entry).subarray(0, Math.min(this.#remainingBytes, maxLineBytes * 2));
    this.#remainingBytes -= shown.length;
    await write(Buffer.from(shown)); // the block is filled anew while this is on its way
    return !this.isFull && !signal.aborted;
  }

  #shape({ time, content }: LogLine): Buffer {
    const isAtLineStart = this.#isAtLineStart;
    this.#isAtLineStart = content.at(-1) === newline;
    if (!this.#request.options.timestamps || !isAtLineStart) return content;
    return Buffer.concat([Buffer.from(`${formatLogTime(time)} `, 'latin1'), content]);
  }
}
