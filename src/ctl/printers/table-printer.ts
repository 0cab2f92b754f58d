import { asJsonObject } from '../../base/index.ts';
import type { Colours } from '../../config/index.ts';
import type { TableColumn, TableDocument, TableRow } from './table-document.ts';
import { createTextTable, toCellText } from './text-table.ts';

/** How tables are shown. */
export interface TablePrintOptions {
  readonly hasHeaders: boolean;
  /** Show columns of every priority. */
  readonly isWide: boolean;
  readonly showsNamespace: boolean;
  /** Put `kind.group/` before names. */
  readonly kindPrefix: string;
  readonly showsLabels: boolean;
  /** Labels with a column of their own. */
  readonly labelColumns: readonly string[];
  readonly colours: Colours;
}

/** Turns tables into text, one after another under one heading. */
export interface TablePrinter {
  print(table: Pick<TableDocument, 'columns' | 'rows'>, rows?: readonly TableRow[]): string;
}

const none = '<none>';
const goodWords = new Set([
  'Running',
  'Ready',
  'Active',
  'Bound',
  'Available',
  'Completed',
  'Succeeded',
  'True',
]);
const badWords = /^(Error|Failed|CrashLoopBackOff|.*BackOff|.*Error|Lost|NotReady|Evicted|OOMKilled|False)$/;
const waitingWords = new Set(['Pending', 'Terminating', 'ContainerCreating', 'PodInitializing', 'Unknown']);

/** Columns of a table as they are shown: their headings, and the cells of a row below them. */
export interface ShownColumns {
  readonly headings: readonly string[];
  cellsOf(row: TableRow): string[];
}

/** Chooses the columns of a table that are shown, and adds those that the options ask for. */
export function showColumns(
  columns: readonly TableColumn[],
  options: Omit<TablePrintOptions, 'hasHeaders' | 'colours'>,
): ShownColumns {
  const shown = columns.flatMap((column, index) => (options.isWide || column.priority === 0 ? [index] : []));
  return {
    headings: [
      ...(options.showsNamespace ? ['NAMESPACE'] : []),
      ...shown.map((index) => toCellText(columns[index]?.name).toUpperCase()),
      ...options.labelColumns.map((label) => label.slice(label.lastIndexOf('/') + 1).toUpperCase()),
      ...(options.showsLabels ? ['LABELS'] : []),
    ],
    cellsOf(row) {
      const metadata = asJsonObject(row.object?.metadata);
      const labels = asJsonObject(metadata.labels);
      return [
        ...(options.showsNamespace ? [toCellText(metadata.namespace)] : []),
        ...shown.map((index) => {
          const text = toCellText(row.cells[index]);
          return index === 0 && columns[index]?.name.toLowerCase() === 'name'
            ? options.kindPrefix + text
            : text;
        }),
        ...options.labelColumns.map((label) => toCellText(labels[label])),
        ...(options.showsLabels ? [formatLabels(labels)] : []),
      ];
    },
  };
}

/** Makes a printer for one resource type. */
export function createTablePrinter(options: TablePrintOptions): TablePrinter {
  let columns: readonly TableColumn[] = [];
  let headings: readonly string[] = [];
  const table = createTextTable((text, row, column) =>
    row === 0 && options.hasHeaders
      ? options.colours.heading(text)
      : colourCell(text, headings[column] ?? '', options.colours),
  );
  return {
    print(document, rows = document.rows) {
      // Events of a watch carry the columns only once.
      const isFirst = columns.length === 0;
      if (document.columns.length > 0) columns = document.columns;
      const shown = showColumns(columns, options);
      if (isFirst) headings = shown.headings;
      const lines = rows.map((row) => shown.cellsOf(row));
      return table.format(isFirst && options.hasHeaders ? [headings, ...lines] : lines);
    },
  };
}

/** `a=1,b=2`, sorted; `<none>` without labels. */
export function formatLabels(labels: Readonly<Record<string, unknown>>): string {
  const pairs = Object.keys(labels)
    .sort()
    .map((key) => `${key}=${toCellText(labels[key])}`);
  return pairs.length === 0 ? none : pairs.join(',');
}

/** A cell's text in the colour of what it says, where it is a status. */
export function colourCell(text: string, heading: string, colours: Colours): string {
  if (heading !== 'STATUS' && heading !== 'PHASE') return text;
  if (goodWords.has(text)) return colours.good(text);
  if (badWords.test(text)) return colours.bad(text);
  return waitingWords.has(text) ? colours.caution(text) : text;
}
