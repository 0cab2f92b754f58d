import { type Stats, statSync } from 'node:fs';
import { DatabaseFailure, describeDamage } from './failure.ts';

/**
 * Detects changes by other programs to the files of an open database. The library would go on with the files that it
 * holds open: writes would be acknowledged that no later start finds.
 */
export class FileGuard {
  readonly #path: string;
  readonly #database: Stats;
  readonly #log: Stats | undefined;
  #sizeBytes: number;
  #mayShrink: boolean;

  /** `mayShrink`: a write-ahead log was found, in which an earlier process may have given up pages. */
  constructor(path: string, { mayShrink }: { readonly mayShrink: boolean }) {
    this.#path = path;
    this.#mayShrink = mayShrink;
    this.#database = statSync(path);
    this.#log = statSync(logOf(path), { throwIfNoEntry: false });
    this.#sizeBytes = this.#database.size;
  }

  /** To be called before pages are given up: the file gets smaller when the log is copied into it. */
  allowShrink(): void {
    this.#mayShrink = true;
  }

  /** To be called when the log was copied as a whole: what was given up is gone now. */
  endShrink(): void {
    this.#sizeBytes = statSync(this.#path).size;
    this.#mayShrink = false;
  }

  /** @throws DatabaseFailure `unavailable` while a file is not where it was, `corrupt` once the database was cut. */
  check(): void {
    const { size } = this.#find(this.#path, this.#database);
    if (this.#log !== undefined) this.#find(logOf(this.#path), this.#log);
    if (size < this.#sizeBytes && !this.#mayShrink) {
      const finding = `it was cut from ${this.#sizeBytes} to ${size} bytes while it was in use`;
      throw new DatabaseFailure('corrupt', describeDamage(this.#path, finding));
    }
    this.#sizeBytes = size;
  }

  #find(path: string, opened: Stats): Stats {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.ino === opened.ino && found.dev === opened.dev) return found;
    const what = found === undefined ? 'is gone' : 'was replaced';
    throw new DatabaseFailure('unavailable', `file "${path}" of the database ${what} while it was in use`);
  }
}

function logOf(path: string): string {
  return `${path}-wal`;
}
