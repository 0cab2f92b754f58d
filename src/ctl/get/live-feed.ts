import { asJsonObject, asText, type Clock } from '../../base/index.ts';
import type { LiveTable, RowInput } from '../live-table/live-table.ts';
import { formatAge } from '../printers/human-duration.ts';
import { readTable, type TableDocument } from '../printers/table-document.ts';
import { type ShownColumns, showColumns, type TablePrintOptions } from '../printers/table-printer.ts';
import type { Target } from '../resource/target.ts';
import type { Followed } from './follow.ts';

/** Where the changes of a target go, and which of them. */
export interface LiveFeedOptions {
  readonly table: LiveTable;
  readonly options: TablePrintOptions;
  readonly target: Target;
  /** Rows come when they first change. */
  readonly watchOnly: boolean;
  readonly clock: Clock;
}

/** Brings lists and events of one target, as the server sends them, into a table that others may feed too. */
export class LiveFeed {
  readonly #options: LiveFeedOptions;
  #columns: ShownColumns | undefined;
  #listed: RowInput[] = [];
  #isFirstList = true;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  take(seen: Exclude<Followed, { readonly kind: 'lost' }>): void {
    const nowMs = this.#options.clock.nowMs();
    if (seen.kind === 'page') {
      if (seen.isFirst) this.#listed = [];
      for (const row of this.#read(seen.document, nowMs)) this.#listed.push(row);
    } else if (seen.kind === 'listed') this.#endList(nowMs);
    else this.#takeEvent(seen.event, nowMs);
  }

  #endList(nowMs: number): void {
    const { table, watchOnly } = this.#options;
    const rows = this.#listed;
    this.#listed = [];
    if (!this.#isFirstList) {
      const wanted = watchOnly ? rows.filter(({ key }) => table.has(key)) : rows;
      table.relist(wanted, (key) => this.#isOwn(key), nowMs);
    } else if (!watchOnly) table.load(rows, nowMs);
    this.#isFirstList = false;
  }

  #takeEvent({ type, object }: { readonly type: string; readonly object: unknown }, nowMs: number): void {
    const { table } = this.#options;
    for (const row of this.#read(object, nowMs)) {
      if (type !== 'DELETED') table.upsert(row, nowMs);
      else {
        // With --watch-only it may be the first that is seen of it.
        if (!table.has(row.key)) table.upsert(row, nowMs);
        table.remove(row.key, nowMs);
      }
    }
  }

  /** Whether a row is one of this target: of those of a type, other targets may have their own. */
  #isOwn(key: string): boolean {
    const { name, namespace } = this.#options.target;
    return name === undefined || key === keyOf(namespace, name);
  }

  #read(document: unknown, nowMs: number): readonly RowInput[] {
    const { table, options } = this.#options;
    const read = readTable(document, (time) => formatAge(time, nowMs));
    const columns = this.#showColumns(read);
    if (table.headings.length === 0) table.setHeadings(columns.headings);
    return read.rows.map((row) => {
      const cells = columns.cellsOf(row);
      const { name, namespace, creationTimestamp } = asJsonObject(row.object?.metadata);
      const key = keyOf(asText(namespace), asText(name) || (cells[options.showsNamespace ? 1 : 0] ?? ''));
      return { key, cells, creationTime: creationTimestamp, object: row.object };
    });
  }

  /** Events of a watch carry the columns only once. */
  #showColumns({ columns }: TableDocument): ShownColumns {
    if (this.#columns === undefined || columns.length > 0) {
      this.#columns = showColumns(columns, this.#options.options);
    }
    return this.#columns;
  }
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;
