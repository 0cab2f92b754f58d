import { ownData } from '../../base/index.ts';
import { type Dialect, translateData } from '../../machinery/dialect.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupResource, type GroupResource } from '../../machinery/schema/index.ts';
import type { TableColumnDefinition, TableRow } from '../types/meta-v1.ts';
import columnData from './columns.json' with { type: 'json' };
import { rowPrinters } from './printers/index.ts';
import type { Cell, RowPrinter } from './row-printer.ts';

/** What a printer's answer depends on beside the object. */
export interface TablePrinterOptions {
  readonly dialect: Dialect;
  /** Enabled feature gates; some columns are there only with theirs. */
  readonly gates: ReadonlySet<string>;
}

/** How objects of one resource become the rows of a Table. Objects are canonical, in any served version. */
export interface TablePrinter {
  readonly columns: readonly TableColumnDefinition[];
  /** Cells and conditions of a row, in the order of the columns. `nowMs` is since the Unix epoch. */
  row(object: ApiObject, nowMs: number): Pick<TableRow, 'cells' | 'conditions'>;
  /** The order of rows where it is not the list's. */
  compare?(a: ApiObject, b: ApiObject): number;
}

interface ColumnData extends TableColumnDefinition {
  readonly gate?: string | undefined;
}

/** Name and time, for every resource without a printer of its own. */
const defaultPrinter: RowPrinter<ApiObject> = {
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? null],
};

/**
 * Makes the printers of a server: a function that gives the printer of any resource, built-in or not. Printers
 * are made when first asked for.
 */
export function createTablePrinters(options: TablePrinterOptions): (resource: GroupResource) => TablePrinter {
  const printers = new Map<string, TablePrinter>();
  return (resource) => {
    const name = formatGroupResource(resource);
    const known = printers.get(name);
    if (known !== undefined) return known;
    const printer = makePrinter(options.dialect.unspell(name), options);
    // Only names with a printer of their own are kept, so that custom resources cannot fill the map.
    if (options.dialect.unspell(name) in rowPrinters) printers.set(name, printer);
    return printer;
  };
}

function makePrinter(name: string, { dialect, gates }: TablePrinterOptions): TablePrinter {
  // Each printer takes every version of the resource that it is registered for.
  const printer = (rowPrinters[name] ?? defaultPrinter) as RowPrinter<ApiObject>;
  const all = translateData(dialect, columnsOf(name));
  const isOn = all.map(({ gate }) => gate === undefined || gates.has(gate));
  const hidesSome = isOn.includes(false);
  const columns = all
    .filter((_, index) => isOn[index])
    .map(({ name, type, format, description, priority }) => ({ name, type, format, description, priority }));
  return {
    columns,
    row(object, nowMs) {
      const cells: Cell[] = printer.cells(object, { nowMs, dialect });
      const conditions = printer.conditions?.(object) ?? [];
      return {
        cells: hidesSome ? cells.filter((_, index) => isOn[index]) : cells,
        ...(conditions.length === 0 ? {} : { conditions }),
      };
    },
    ...(printer.compare === undefined ? {} : { compare: (a, b) => printer.compare?.(a, b) ?? 0 }),
  };
}

function columnsOf(name: string): readonly ColumnData[] {
  // The file's inferred type has one shape per entry: a list of columns, or the name of another entry.
  const data = ownData<Readonly<Record<string, readonly ColumnData[] | string>>>(columnData);
  const entry = data[name] ?? data['*'] ?? [];
  return typeof entry === 'string' ? columnsOf(entry) : entry;
}
