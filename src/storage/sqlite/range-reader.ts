import type { Database, Statement } from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import type { RangePage, RangePageRequest } from './messages.ts';
import type { StoreState } from './store-state.ts';
import { ValuePacker } from './value-packer.ts';

/** Rows and bytes per message: a page never holds the worker, or the event loop that receives it, for long. */
const maxRows = 1000;
const maxBytes = 4 * 1024 * 1024;

const latestSql = `
  SELECT o.key, o.revision, l.value FROM objects o LEFT JOIN log l ON l.revision = o.revision
  WHERE o.key >= :from AND o.key < :to ORDER BY o.key LIMIT :limit
`;

/**
 * The state at a revision is the current one with every later change undone: keys that were not changed since,
 * and for the others the state before their first later change.
 */
const pastSql = `
  WITH changed AS (
    SELECT key, min(revision) AS first FROM log
    WHERE revision > :revision AND key >= :from AND key < :to GROUP BY key
  ), page AS (
    SELECT key, revision FROM objects WHERE key >= :from AND key < :to AND revision <= :revision
    UNION ALL
    SELECT c.key, l.previous_revision FROM changed c JOIN log l ON l.revision = c.first
    WHERE l.previous_revision IS NOT NULL
    ORDER BY key LIMIT :limit
  )
  SELECT p.key, p.revision, l.value FROM page p LEFT JOIN log l ON l.revision = p.revision ORDER BY p.key
`;

/** Steps down from one revision of a key to the one before it; nothing when the key was created by it. */
const beforeSql = 'SELECT previous_revision FROM log WHERE revision = ?';

type Row = readonly [key: string, revision: number, value: Buffer | null];

/** Reads objects by key, now or at an earlier revision. */
export class RangeReader {
  readonly #state: StoreState;
  readonly #one: Statement<unknown[], Row>;
  readonly #before: Statement<unknown[], number | null>;
  readonly #value: Statement<unknown[], Row>;
  readonly #latest: Statement<unknown[], Row>;
  readonly #past: Statement<unknown[], Row>;

  constructor(database: Database, state: StoreState) {
    this.#state = state;
    this.#one = database
      .prepare<unknown[], Row>(
        'SELECT o.key, o.revision, l.value FROM objects o LEFT JOIN log l USING (revision) WHERE o.key = ?',
      )
      .raw();
    this.#before = database.prepare<unknown[], number | null>(beforeSql).pluck();
    this.#value = database
      .prepare<unknown[], Row>('SELECT key, revision, value FROM log WHERE revision = ?')
      .raw();
    this.#latest = database.prepare<unknown[], Row>(latestSql).raw();
    this.#past = database.prepare<unknown[], Row>(pastSql).raw();
  }

  /**
   * A page of no or one object.
   *
   * @throws DatabaseFailure `compacted` or `future-revision`
   */
  get(key: string, revision: number): RangePage {
    this.#assertReadable(revision);
    const [current] = this.#one.all(key);
    const at = { limit: 1, revision: revision === 0 ? this.#state.revision : revision };
    if (revision === 0) return this.#page(current === undefined ? [] : [current], at);
    // Writes name what they replaced: that is quicker than a look through the log, which has no index of keys.
    let own: number | null | undefined = current?.[1];
    while (own !== undefined && own !== null && own > revision) own = this.#before.get(own);
    if (own !== undefined && own !== null) return this.#page(this.#value.iterate(own), at);
    // It does not exist, or was created later: there may have been one before that was deleted.
    return this.range({ from: key, to: `${key}\0`, limit: 1, revision });
  }

  /** @throws DatabaseFailure `compacted` or `future-revision` */
  range({ from, to, limit, revision }: Omit<RangePageRequest, 'kind'>): RangePage {
    this.#assertReadable(revision);
    const current = this.#state.revision;
    const isLatest = revision === 0 || revision === current;
    const rows = Math.min(limit, maxRows);
    const parameters = { from, to, limit: rows + 1, ...(isLatest ? {} : { revision }) };
    const statement = isLatest ? this.#latest : this.#past;
    return this.#page(statement.iterate(parameters), {
      limit: rows,
      revision: isLatest ? current : revision,
    });
  }

  #assertReadable(revision: number): void {
    if (revision > this.#state.revision)
      throw new DatabaseFailure('future-revision', `revision ${revision} has not happened`);
    if (revision !== 0 && revision < this.#state.compacted) {
      throw new DatabaseFailure('compacted', `revision ${revision} has been compacted`);
    }
  }

  #page(
    rows: Iterable<Row>,
    { limit, revision }: { readonly limit: number; readonly revision: number },
  ): RangePage {
    const keys: string[] = [];
    const revisions: number[] = [];
    const values = new ValuePacker();
    let hasMore = false;
    for (const row of rows) {
      hasMore = keys.length >= limit || values.length >= maxBytes;
      if (hasMore) break;
      // The statements select exactly these columns, which are typed in the schema.
      const [key, own, value] = row;
      if (value === null) {
        throw new DatabaseFailure('corrupt', `database is damaged: the value of revision ${own} is missing`);
      }
      keys.push(key);
      revisions.push(own);
      values.add(value, own);
    }
    return { keys, revisions, values: values.pack(), revision, hasMore };
  }
}
