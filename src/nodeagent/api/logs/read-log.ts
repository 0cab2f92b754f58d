import { type FileHandle, lstat, open, readlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Clock, errorCode, errorText } from '../../../base/index.ts';
import { quoteGo } from '../../../machinery/errors/index.ts';
import { FolderChanges } from './folder-changes.ts';
import { LineReader } from './line-reader.ts';
import type { LogOptions } from './log-options.ts';
import { LogWriter } from './log-writer.ts';

/** Which log to read, and for whom. */
export interface ReadLogOptions {
  /** The container's log file. */
  readonly path: string;
  readonly options: LogOptions;
  /** Takes a piece; resolves when there may be more. */
  readonly write: (bytes: Buffer) => Promise<void>;
  /** Whether the container may write more. Called while the log is followed and quiet. */
  readonly isRunning: () => Promise<boolean>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Interval at which a followed log is polled while it is quiet. */
const pollIntervalMs = 1000;

/**
 * Writes a container's log from the requested line or time on; when following, also what is added, across rotations of
 * the file, until the container has ended. Entries that cannot be parsed are skipped.
 *
 * @throws Error when the file cannot be read, or is no log
 */
export async function readLog(request: ReadLogOptions): Promise<void> {
  const reading = new LogReading(request, await openLog(request.path));
  try {
    await reading.run();
  } finally {
    await reading.close();
  }
}

/** A log that is being read: the file as it is now, and how far it was read. */
class LogReading {
  readonly #request: ReadLogOptions;
  readonly #writer: LogWriter;
  readonly #lines = new LineReader();
  #file: FileHandle;
  #position = 0;

  constructor(request: ReadLogOptions, file: FileHandle) {
    this.#request = request;
    this.#file = file;
    this.#writer = new LogWriter(request.options, request.write);
  }

  async run(): Promise<void> {
    const { path, options, isRunning, clock, signal } = this.#request;
    using changes = options.follow ? new FolderChanges(dirname(path), clock) : undefined;
    if (options.tailLines !== undefined) this.#position = await findTailStart(this.#file, options.tailLines);
    for (let isQuiet = true; !signal.aborted; ) {
      // Checked before reading, so that what the container wrote until its end is read too.
      const mayGrow = options.follow && (!isQuiet || (await isRunning()));
      const hasRead = await this.#readOn();
      if (this.#writer.isFull || signal.aborted) return;
      if (hasRead && mayGrow) {
        isQuiet = !(await changes?.wait(pollIntervalMs, signal));
        continue;
      }
      if (options.follow && (await this.#reopen())) continue;
      if (!mayGrow) return this.#lines.finish((lines) => this.#take(lines));
      isQuiet = !(await changes?.wait(pollIntervalMs, signal));
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Whether there was anything new. */
  async #readOn(): Promise<boolean> {
    const before = this.#position;
    this.#position = await this.#lines.read(this.#file, before, (lines) => this.#take(lines));
    return this.#position > before;
  }

  async #take(lines: readonly Buffer[]): Promise<boolean> {
    return (await this.#writer.take(lines)) && !this.#request.signal.aborted;
  }

  /** Switches to the new file after a rotation; false when there is none. */
  async #reopen(): Promise<boolean> {
    const next = await open(this.#request.path, 'r').catch(() => undefined); // in the middle of a rotation
    if (next === undefined) return false;
    const [was, is] = await Promise.all([this.#file.stat(), next.stat()]);
    if (was.ino === is.ino && was.dev === is.dev) {
      await next.close();
      return false;
    }
    await this.#file.close();
    this.#file = next;
    this.#position = 0;
    return true;
  }
}

const blockBytes = 16 * 1024;
const newline = 0x0a;

/** Where the last `lines` lines of a file begin, in bytes. A last line without its end comes on top, and counts as none. */
async function findTailStart(file: FileHandle, lines: number): Promise<number> {
  const { size } = await file.stat();
  const block = Buffer.alloc(Math.min(blockBytes, size));
  let found = 0;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - block.length);
    const { bytesRead } = await file.read(block, 0, end - start, start);
    const text = block.subarray(0, bytesRead);
    for (
      let at = text.lastIndexOf(newline);
      at >= 0;
      at = at === 0 ? -1 : text.lastIndexOf(newline, at - 1)
    ) {
      if (++found > lines) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

/** Opens a container's log. @throws Error in the words of release 1.20, by which clients tell it from a log */
async function openLog(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (cause) {
    const what =
      errorCode(cause) === 'ENOENT'
        ? `failed to try resolving symlinks in path ${quoteGo(path)}: lstat ${await missingPart(path)}: no such file or directory`
        : `failed to open log file ${quoteGo(path)}: ${errorText(cause)}`;
    throw new Error(what, { cause });
  }
}

/** The part of a path from which on nothing is there; of a link that leads to nothing, the part of where it leads. */
async function missingPart(path: string): Promise<string> {
  const parts = path.split('/');
  for (let count = 2; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/');
    if ((await lstat(part).catch(() => undefined)) === undefined) return part;
  }
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? path : missingPart(resolve(dirname(path), target));
}
