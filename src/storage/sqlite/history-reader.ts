import type { Database, Statement } from 'better-sqlite3';
import { DatabaseFailure } from './failure.ts';
import type { HistoryPage, HistoryRequest } from './messages.ts';
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
