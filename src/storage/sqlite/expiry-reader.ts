import type { Database, Statement } from 'better-sqlite3';
import type { ExpiredKeys, ExpiredRequest } from './messages.ts';

/** Finds the keys whose time has come. */
export class ExpiryReader {
  readonly #select: Statement<unknown[], readonly [string, number, number]>;
  /** An aggregate over an integer column. */
  readonly #next: Statement<unknown[], number | null>;

  constructor(database: Database) {
    this.#select = database
      .prepare<unknown[], readonly [string, number, number]>(
        'SELECT key, revision, expires_at FROM objects WHERE expires_at <= ? ORDER BY expires_at LIMIT ?',
      )
      .raw();
    this.#next = database
      .prepare<unknown[], number | null>('SELECT min(expires_at) FROM objects WHERE expires_at > ?')
      .pluck();
  }

  /** When the first key after `nowMs` ends; 0 when none does. */
  nextAfter(nowMs: number): number {
    return this.#next.get(nowMs) ?? 0;
  }

  read({ nowMs, limit }: ExpiredRequest): ExpiredKeys {
    // The columns are text and integers that are never null here. One row more than asked for tells what comes next.
    const rows = this.#select.all(nowMs, limit + 1);
    const more = rows.splice(limit)[0];
    const keys = rows.map(([key]) => key);
    const revisions = rows.map(([, revision]) => revision);
    return { keys, revisions, nextMs: more?.[2] ?? this.nextAfter(nowMs) };
  }
}
