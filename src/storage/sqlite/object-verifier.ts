import type { Database, Statement } from 'better-sqlite3';
import type { VerifyPage, VerifyRequest } from './messages.ts';

/** Objects per message, and so between two writes. */
const objectsPerPage = 200;

type Row = readonly [key: string, revision: number, isSound: number];

/** Checks whether objects can be read, a page at a time. */
export class ObjectVerifier {
  readonly #select: Statement<unknown[], Row>;

  constructor(database: Database) {
    this.#select = database
      .prepare<unknown[], Row>(
        `SELECT o.key, o.revision, coalesce(l.key = o.key AND l.is_delete = 0
           AND instr(l.value, CAST('"resourceVersion":"' AS BLOB)) > 0, 0)
         FROM objects o LEFT JOIN log l USING (revision) WHERE o.key > ? ORDER BY o.key LIMIT ${objectsPerPage}`,
      )
      .raw();
  }

  verify({ afterKey }: VerifyRequest): VerifyPage {
    // The statement selects exactly these columns, which are typed in the schema.
    const rows = this.#select.all(afterKey);
    const findings = rows
      .filter(([, , isSound]) => isSound === 0)
      .map(([key, revision]) => `object cannot be read: ${key} at revision ${revision}`);
    return { findings, lastKey: rows.length < objectsPerPage ? undefined : rows.at(-1)?.[0] };
  }
}
