import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { errorCode } from '../../base/index.ts';
import { type BackupLimits, tidyBackups } from './tidy-backups.ts';

/** Where a log is written, and what becomes of its older parts. */
export interface RotatingFileOptions extends BackupLimits {
  /** A file that would grow beyond this is put aside, and another one begun. */
  readonly maxBytes: number;
  /** Told when older parts cannot be packed or removed. */
  readonly onTidyError: (error: unknown) => void;
}

/** How often the file is looked for: another program may have moved it. */
const lookEveryMs = 1000;

interface Waiting {
  readonly bytes: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A file that lines are appended to, all of a call or none; only its owner can read it. What is appended while another
 * write is under way goes out together. Files put aside are named after the time, as release 1.20 does.
 */
export class RotatingFile {
  readonly #options: RotatingFileOptions;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #file: FileHandle | undefined;
  #inode = 0;
  /** Pipes and devices are not put aside or cut. */
  #isRegular = true;
  #size = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
  }

  /** Bytes must stay as they are until then. Resolves when the system has taken the lines, which outlive this process then. @throws when it takes not all. */
  append(lines: string | Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ bytes: typeof lines === 'string' ? Buffer.from(lines) : lines, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Writes what waits, and closes the file. */
  async close(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    await this.#tidying;
    await this.#closeFile();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      await this.#writeGroup(group);
    }
    this.#writing = undefined;
  }

  /** As many of a group at once as the file may hold. */
  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    const { maxBytes } = this.#options;
    for (let from = 0; from < group.length; ) {
      let bytes = group[from]?.bytes.length ?? 0;
      let until = from + 1;
      try {
        if (bytes > maxBytes)
          throw new RangeError(`write length ${bytes} exceeds maximum file size ${maxBytes}`);
        const file = await this.#fileFor(bytes);
        for (let next = group[until]; next !== undefined; next = group[until]) {
          if (this.#size + bytes + next.bytes.length > maxBytes) break;
          bytes += next.bytes.length;
          until++;
        }
        await this.#write(
          file,
          group.slice(from, until).map((waiting) => waiting.bytes),
        );
        for (const { resolve } of group.slice(from, until)) resolve();
      } catch (error) {
        for (const { reject } of group.slice(from, until)) reject(error);
      }
      from = until;
    }
  }

  /** A part that a full disk took would join the next line: it is taken back. */
  async #write(file: FileHandle, parts: readonly Buffer[]): Promise<void> {
    const bytes = parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
    try {
      for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten;
      if (this.#isRegular) this.#size += bytes.length;
    } catch (error) {
      if (this.#isRegular) await file.truncate(this.#size);
      throw error;
    }
  }

  /** The open file, with room for so many bytes. */
  async #fileFor(bytes: number): Promise<FileHandle> {
    const { path, maxBytes, clock } = this.#options;
    const nowMs = clock.nowMs();
    if (this.#file !== undefined && nowMs - this.#lookedAtMs >= lookEveryMs) {
      this.#lookedAtMs = nowMs;
      if ((await inodeOf(path)) !== this.#inode) await this.#closeFile();
    }
    const file = this.#file ?? (await this.#open());
    if (!this.#isRegular || this.#size + bytes <= maxBytes) return file;
    await this.#closeFile();
    await rename(path, await this.#backupPath(nowMs));
    const next = await this.#open();
    this.#tidy();
    return next;
  }

  async #open(): Promise<FileHandle> {
    const isFirst = this.#inode === 0;
    const file = await open(this.#options.path, 'a', 0o600);
    const stats = await file.stat();
    this.#isRegular = stats.isFile();
    this.#file = file;
    this.#inode = stats.ino;
    this.#size = this.#isRegular ? stats.size : 0;
    this.#lookedAtMs = this.#options.clock.nowMs();
    if (isFirst) this.#tidy();
    return file;
  }

  async #closeFile(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #backupPath(nowMs: number): Promise<string> {
    const { path } = this.#options;
    for (let atMs = nowMs; ; atMs++) {
      const candidate = backupPath(path, atMs);
      if ((await inodeOf(candidate)) === undefined) return candidate;
    }
  }

  /** One after the other, beside the writing. */
  #tidy(): void {
    const { onTidyError } = this.#options;
    this.#tidying = this.#tidying.then(() => tidyBackups(this.#options)).catch(onTidyError);
  }
}

/** `audit.log` put aside at a time: `audit-2021-01-31T10-00-00.000.log`. */
function backupPath(path: string, atMs: number): string {
  const extension = extname(path);
  const time = new Date(atMs).toISOString().replaceAll(':', '-').replace('Z', '');
  return join(dirname(path), `${basename(path, extension)}-${time}${extension}`);
}

async function inodeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).ino;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
