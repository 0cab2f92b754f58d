import type { Database, Statement } from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import type {
  ExpiredKeys,
  ExpiredRequest,
  HistoryPage,
  HistoryRequest,
  VerifyPage,
  VerifyRequest,
} from './messages.ts';
import type { StoreState } from './store-state.ts';
import { ValuePacker } from './value-packer.ts';

/** Revisions to look at and bytes to return per message. */
const maxRevisions = 5000;
const maxBytes = 4 * 1024 * 1024;

const historySql = `
  SELECT l.revision, l.key, l.is_delete, l.previous_revision, l.value, p.value
  FROM log l LEFT JOIN log p ON p.revision = l.previous_revision
  WHERE l.revision > :after AND l.revision <= :last AND l.key >= :from AND l.key < :to
  ORDER BY l.revision
`;

type Row = readonly [
  revision: number,
  key: string,
  isDelete: number,
  previousRevision: number | null,
  value: Buffer | null,
  previousValue: Buffer | null,
];

/** Reads the events after a revision, page by page. */
export class HistoryReader {
  readonly #state: StoreState;
  readonly #select: Statement<unknown[], Row>;

  constructor(database: Database, state: StoreState) {
    this.#state = state;
    this.#select = database.prepare<unknown[], Row>(historySql).raw();
  }

  /** @throws DatabaseFailure `compacted` */
  read({ from, to, afterRevision }: HistoryRequest): HistoryPage {
    if (afterRevision < this.#state.compacted) {
      throw new DatabaseFailure('compacted', `revision ${afterRevision} has been compacted`);
    }
    const last = Math.min(this.#state.revision, afterRevision + maxRevisions);
    const page = {
      keys: [] as string[],
      revisions: [] as number[],
      isDelete: [] as boolean[],
      previous: [] as number[],
    };
    const values = new ValuePacker();
    let through = last;
    for (const row of this.#select.iterate({ from, to, after: afterRevision, last })) {
      // The statement selects exactly these columns, which are typed in the schema.
      const [revision, key, isDelete, previousRevision, value, previousValue] = row;
      page.keys.push(key);
      page.revisions.push(revision);
      page.isDelete.push(isDelete === 1);
      page.previous.push(previousRevision ?? 0);
      addValues(values, { revision, previousRevision, value, previousValue });
      if (values.length < maxBytes) continue;
      through = revision;
      break;
    }
    return { ...page, values: values.pack(), through };
  }
}

function addValues(
  values: ValuePacker,
  event: {
    readonly revision: number;
    readonly previousRevision: number | null;
    readonly value: Buffer | null;
    readonly previousValue: Buffer | null;
  },
): void {
  const { revision, previousRevision, previousValue } = event;
  const value = event.value ?? previousValue;
  if (value === null || (previousRevision !== null && previousValue === null)) {
    throw new DatabaseFailure(
      'corrupt',
      `database is damaged: the values of revision ${revision} are missing`,
    );
  }
  values.add(value, revision);
  if (previousRevision === null || previousValue === null) values.addNothing();
  else values.add(previousValue, previousRevision);
}

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

/** Objects per message, and so between two writes. */
const objectsPerPage = 200;

type VerifiedRow = readonly [key: string, revision: number, isSound: number];

/** Checks whether objects can be read, a page at a time. */
export class ObjectVerifier {
  readonly #select: Statement<unknown[], VerifiedRow>;

  constructor(database: Database) {
    this.#select = database
      .prepare<unknown[], VerifiedRow>(
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
