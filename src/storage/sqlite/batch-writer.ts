import type { Database, Statement } from 'better-sqlite3';
import { DatabaseFailure, toFailure } from './failure.ts';
import { createVerb, deleteVerb, updateVerb, type WriteBatch, type WriteBatchResult } from './messages.ts';
import type { StoreState } from './store-state.ts';
import { ValuePacker } from './value-packer.ts';

/** Commits batches of writes, each in one transaction. */
export class BatchWriter {
  readonly #database: Database;
  readonly #state: StoreState;
  readonly #begin: Statement;
  readonly #commit: Statement;
  readonly #findRevision: Statement<unknown[], number>;
  readonly #readValue: Statement;
  readonly #append: Statement;
  readonly #setObject: Statement;
  readonly #removeObject: Statement;

  constructor(database: Database, state: StoreState) {
    this.#database = database;
    this.#state = state;
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#findRevision = database
      .prepare<unknown[], number>('SELECT revision FROM objects WHERE key = ?')
      .pluck();
    this.#readValue = database.prepare('SELECT value FROM log WHERE revision = ?').pluck();
    this.#append = database.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?)');
    this.#setObject = database.prepare(
      `INSERT INTO objects VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, expires_at = excluded.expires_at`,
    );
    this.#removeObject = database.prepare('DELETE FROM objects WHERE key = ?');
  }

  /** All writes of the batch are durable when this returns. When it throws, none happened. */
  write(batch: WriteBatch): WriteBatchResult {
    const { revision, objectCount } = this.#state;
    try {
      this.#begin.run();
      const result = this.#apply(batch);
      this.#commit.run();
      return result;
    } catch (error) {
      this.#state.revision = revision;
      this.#state.objectCount = objectCount;
      this.#rollBack();
      if (toFailure(error).code === 'disk-full') this.#makeRoom();
      throw error;
    }
  }

  #rollBack(): void {
    // Some failures roll back by themselves.
    if (!this.#database.inTransaction) return;
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // The first failure is more useful than this one. A transaction that stays open fails the next write.
    }
  }

  /** Moves what the write-ahead log holds into the database, which may have free pages for it, and cuts the log. */
  #makeRoom(): void {
    try {
      this.#database.pragma('wal_checkpoint(TRUNCATE)');
    } catch {
      // The log stays as it is until there is room.
    }
  }

  #apply(batch: WriteBatch): WriteBatchResult {
    const revisions: number[] = [];
    const related: number[] = [];
    const values = new ValuePacker();
    for (let index = 0; index < batch.keys.length; index++) {
      const key = batch.keys[index] ?? '';
      const current = this.#findRevision.get(key) ?? 0;
      const isExpected =
        current === batch.expected[index] && (current !== 0 || batch.verbs[index] === createVerb);
      revisions.push(isExpected ? this.#writeOne(batch, { index, key, current }) : 0);
      related.push(current);
      const isReplaced = isExpected && batch.verbs[index] === updateVerb;
      if (current === 0 || (isReplaced && !batch.wantsReplaced)) values.addNothing();
      else values.add(this.#valueOf(current), current);
    }
    return { revisions, related, values: values.pack(), revision: this.#state.revision };
  }

  #writeOne(
    batch: WriteBatch,
    { index, key, current }: { readonly index: number; readonly key: string; readonly current: number },
  ): number {
    const revision = ++this.#state.revision;
    const previous = current === 0 ? null : current;
    if (batch.verbs[index] === deleteVerb) {
      this.#append.run(revision, key, 1, previous, null);
      this.#removeObject.run(key);
      this.#state.objectCount--;
      return revision;
    }
    const start = index === 0 ? 0 : (batch.ends[index - 1] ?? 0);
    const value = Buffer.from(batch.bytes, start, (batch.ends[index] ?? start) - start);
    this.#append.run(revision, key, 0, previous, value);
    this.#setObject.run(key, revision, batch.expiresAt[index] || null);
    if (current === 0) this.#state.objectCount++;
    return revision;
  }

  #valueOf(revision: number): Buffer {
    const value = this.#readValue.get(revision);
    if (Buffer.isBuffer(value)) return value;
    throw new DatabaseFailure('corrupt', `database is damaged: the value of revision ${revision} is missing`);
  }
}
