import type { Database, Statement } from 'better-sqlite3';

/** Facts about the database as a whole. */
export interface MetaValues {
  readonly dialect: string;
  /** 1 when the last stop was clean. */
  readonly clean: number;
  /** History up to here is forgotten. */
  readonly compacted: number;
  /** Rows up to here have been removed as far as `compacted` allows. */
  readonly compactedRows: number;
  /** Times of revisions, as JSON: one row, so that older versions of this program pass over it. */
  readonly revisionMarks: string;
  /** Filling that shows whether the disk takes writes. */
  readonly probe: Buffer | number;
}

/** Reads and writes `meta`. */
export class Meta {
  readonly #select: Statement;
  readonly #upsert: Statement;

  constructor(database: Database) {
    this.#select = database.prepare('SELECT value FROM meta WHERE name = ?').pluck();
    this.#upsert = database.prepare(
      'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
  }

  get<Name extends keyof MetaValues>(name: Name): MetaValues[Name] | undefined {
    // Only `set` writes the table.
    return this.#select.get(name) as MetaValues[Name] | undefined;
  }

  set<Name extends keyof MetaValues>(name: Name, value: MetaValues[Name]): void {
    this.#upsert.run(name, value);
  }
}
