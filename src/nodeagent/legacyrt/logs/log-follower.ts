import { type FSWatcher, watch } from 'node:fs';
import { type FileHandle, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock, Logger } from '../../../base/index.ts';
import { formatEntry, readEngineLine } from './convert-line.ts';
import { endOfKnown, lastTime } from './last-time.ts';

/** The engine's JSON log that is read, and the log in the CRI format that is written from it. */
export interface LogFollowerOptions {
  /** The engine's file. */
  readonly source: string;
  readonly logPath: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

const blockBytes = 64 * 1024;
/** Longest line of the engine: 16 KiB, each byte escaped. */
const maxLineBytes = 1024 * 1024;
/** Entries that come within so short a time are written together. */
const gatherMs = 10;
/** How long to wait for a file that the engine has not made yet, or that it is rotating. */
const pollIntervalMs = 500;
const newline = 0x0a;

/**
 * Copies a container's log while the engine writes it. Entries that the log has already, by their time, are left out:
 * a follower goes on where another has ended.
 */
export class LogFollower {
  readonly #options: LogFollowerOptions;
  readonly #running: Promise<void>;
  readonly #opened = Promise.withResolvers<void>();
  #wake: (() => void) | undefined;
  #isDirty = false;
  #isEnding = false;
  #isAborted = false;
  #reopening: PromiseWithResolvers<void> | undefined;
  #source: FileHandle | undefined;
  #log: FileHandle | undefined;
  #position = 0;
  #rest: Buffer = Buffer.alloc(0);
  #since = '';

  constructor(options: LogFollowerOptions) {
    this.#options = options;
    this.#running = this.#run().catch((error: unknown) => {
      options.logger.error('container log copy failed', { logPath: options.logPath, error: String(error) });
    });
  }

  /** Resolves when the log's file is there, or cannot be made. */
  get opened(): Promise<void> {
    return this.#opened.promise;
  }

  /** Copies what is there and ends. Resolves when that is done. */
  finish(): Promise<void> {
    this.#isEnding = true;
    this.#signal();
    return this.#running;
  }

  /** Ends as it is. */
  abort(): Promise<void> {
    this.#isAborted = true;
    return this.finish();
  }

  /** Goes on in a new file at the log's path. */
  reopen(): Promise<void> {
    this.#reopening ??= Promise.withResolvers<void>();
    const { promise } = this.#reopening;
    this.#signal();
    return Promise.race([promise, this.#running]);
  }

  async #run(): Promise<void> {
    const { logPath } = this.#options;
    let watcher: FSWatcher | undefined;
    try {
      this.#since = await lastTime(logPath);
      await this.#openLog();
      this.#opened.resolve();
      await this.#skipKnown();
      while (!this.#isAborted) {
        const isEnding = this.#isEnding;
        this.#isDirty = false;
        await this.#reopenLog();
        this.#source ??= await open(this.#options.source, 'r').catch(() => undefined);
        watcher ??= this.#source && this.#watch();
        await this.#readOn();
        if (await this.#wasRotated()) {
          watcher?.close();
          watcher = undefined;
          await this.#rotate();
          continue;
        }
        if (isEnding) return;
        await this.#sleep(watcher === undefined ? pollIntervalMs : undefined);
      }
    } finally {
      watcher?.close();
      await this.#source?.close();
      await this.#log?.close();
      this.#opened.resolve();
      this.#reopening?.resolve();
    }
  }

  /** Begins behind all that the log has already; else with what the engine has rotated since. */
  async #skipKnown(): Promise<void> {
    const { source } = this.#options;
    const isNew = this.#since === '';
    this.#source = isNew ? undefined : await open(source, 'r').catch(() => undefined);
    if (this.#source !== undefined) this.#position = await endOfKnown(this.#source, this.#since);
    if (this.#position > 0) return;
    await this.#closeSource();
    this.#source = await open(`${source}.1`, 'r').catch(() => undefined);
    await this.#readOn();
    await this.#closeSource();
  }

  async #readOn(): Promise<void> {
    const source = this.#source;
    if (source === undefined) return;
    const block = Buffer.allocUnsafe(blockBytes);
    while (!this.#isAborted) {
      const { bytesRead } = await source.read(block, 0, blockBytes, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      await this.#copy(block.subarray(0, bytesRead));
    }
  }

  async #copy(bytes: Buffer): Promise<void> {
    const text = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = text.lastIndexOf(newline) + 1;
    const rest = text.subarray(end);
    this.#rest = rest.length > maxLineBytes ? Buffer.alloc(0) : Buffer.from(rest);
    if (end === 0) return;
    let written = '';
    for (const line of text.toString('utf8', 0, end - 1).split('\n')) {
      const entry = readEngineLine(line);
      if (entry === undefined || entry.time <= this.#since) continue;
      written += formatEntry(entry);
    }
    if (written !== '') await this.#log?.appendFile(written);
  }

  async #openLog(): Promise<void> {
    const { logPath } = this.#options;
    await mkdir(dirname(logPath), { recursive: true, mode: 0o755 });
    this.#log = await open(logPath, 'a', 0o640);
  }

  /** Rotates the log together with the engine's file, so that both have the same limit. */
  async #rotate(): Promise<void> {
    const { logPath } = this.#options;
    await rename(logPath, `${logPath}.1`);
    await this.#log?.close();
    await this.#openLog();
  }

  async #reopenLog(): Promise<void> {
    const reopening = this.#reopening;
    if (reopening === undefined) return;
    await this.#log?.close();
    await this.#openLog();
    this.#reopening = undefined;
    reopening.resolve();
  }

  /** Whether the engine has replaced its file; the old one is read to its end and closed first. */
  async #wasRotated(): Promise<boolean> {
    const source = this.#source;
    if (source === undefined) return false;
    const [was, is] = await Promise.all([source.stat(), stat(this.#options.source).catch(() => undefined)]);
    if (is === undefined || (is.ino === was.ino && is.size >= this.#position)) return false;
    await this.#readOn();
    await this.#closeSource();
    return true;
  }

  async #closeSource(): Promise<void> {
    await this.#source?.close();
    this.#source = undefined;
    this.#position = 0;
    this.#rest = Buffer.alloc(0);
  }

  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.#options.source, { persistent: false }, () => this.#signal());
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch {
      return undefined; // The file is gone, or the limit of watches is reached: polling continues.
    }
  }

  #signal(): void {
    this.#isDirty = true;
    this.#wake?.();
  }

  /** Until something happens or, where files cannot be watched, for a while. */
  async #sleep(limitMs: number | undefined): Promise<void> {
    const { clock } = this.#options;
    if (!this.#isDirty) {
      await new Promise<void>((resolve) => {
        const cancel = limitMs === undefined ? undefined : clock.setTimer(limitMs, resolve);
        this.#wake = () => {
          cancel?.();
          resolve();
        };
      });
      this.#wake = undefined;
    }
    if (this.#isEnding || this.#reopening !== undefined) return;
    await new Promise<void>((resolve) => clock.setTimer(gatherMs, resolve));
  }
}
