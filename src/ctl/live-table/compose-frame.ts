import type { ChangeMarks, Colours } from '../../config/index.ts';
import type { TerminalSize } from '../io.ts';
import { colourCell } from '../printers/table-printer.ts';
import { ageText } from './age.ts';
import type { LiveRow, LiveTable } from './live-table.ts';
import { fitText, textWidth } from './text-width.ts';

/** How long a change stands out, and a row that went stays. */
export const momentMs = 2000;

/** What a picture is made of. */
export interface Picture {
  readonly tables: readonly LiveTable[];
  /** A line below the tables; empty for none. Free of control characters. */
  readonly notice: string;
  readonly hasHeaders: boolean;
  readonly colours: Colours;
  readonly marks: ChangeMarks;
}

/** When and where it is shown. */
export interface View {
  readonly size: TerminalSize;
  readonly nowMs: number;
  /** The last picture stays: nothing stands out, and what went is not in it. */
  readonly isLast?: boolean;
}

/**
 * The picture as lines, each no wider than the terminal and together one fewer than it has, as the cursor stands below them.
 * Of tables that are too long, the rows that changed last are shown, and the number of the others.
 */
export function composeFrame(picture: Picture, view: View): readonly string[] {
  const room = Math.max(1, view.size.rows - 1 - (picture.notice === '' ? 0 : 1));
  const parts = picture.tables
    .map((table) => ({ table, rows: visibleRows(table, view) }))
    .filter(
      ({ table, rows }) => rows.length > 0 || (picture.tables.length === 1 && table.headings.length > 0),
    );
  const headerLines = picture.hasHeaders ? 1 : 0;
  const shares = shareLines(
    parts.map(({ rows }) => rows.length + headerLines),
    room - Math.max(0, parts.length - 1),
  );
  const lines = parts.flatMap(({ table, rows }, index) => {
    const chosen = chooseRows(rows, (shares[index] ?? 0) - headerLines);
    return [
      ...(index > 0 ? [''] : []),
      ...(picture.hasHeaders ? [formatHeadings(table, picture, view)] : []),
      ...chosen.rows.map((row) => formatRow(row, table, picture, view)),
      ...(chosen.more > 0 ? [fitText(`... and ${chosen.more} more`, view.size.columns)] : []),
    ];
  });
  const shown =
    lines.length > room ? [...lines.slice(0, room - 1), fitText('...', view.size.columns)] : lines;
  return picture.notice === '' ? shown : [...shown, fitText(picture.notice, view.size.columns)];
}

function visibleRows(table: LiveTable, { isLast = false }: View): readonly LiveRow[] {
  return isLast ? table.rows().filter(({ goneAtMs }) => goneAtMs === undefined) : table.rows();
}

/** Gives each what it needs as long as there is enough, and else as much as the others that want more. */
export function shareLines(needs: readonly number[], available: number): readonly number[] {
  const shares = needs.map(() => 0);
  let rest = available;
  const order = needs.map((need, index) => ({ need, index })).sort((a, b) => a.need - b.need);
  for (const [taken, { need, index }] of order.entries()) {
    const share = Math.min(need, Math.floor(rest / (order.length - taken)));
    shares[index] = Math.max(0, share);
    rest -= share;
  }
  return shares;
}

function chooseRows(rows: readonly LiveRow[], lines: number): { rows: readonly LiveRow[]; more: number } {
  if (rows.length <= lines) return { rows, more: 0 };
  const count = Math.max(0, lines - 1);
  const order = rows.map((row, index) => ({ row, index }));
  // Sorting is stable: where nothing happened, the first rows are shown.
  order.sort((a, b) => (a.row.touchedAtMs === b.row.touchedAtMs ? 0 : b.row.touchedAtMs - a.row.touchedAtMs));
  const chosen = order.slice(0, count).sort((a, b) => a.index - b.index);
  return { rows: chosen.map(({ row }) => row), more: rows.length - count };
}

type Style = (text: string) => string;

function formatHeadings(table: LiveTable, { colours }: Picture, view: View): string {
  return formatCells(
    table.headings.map((text) => ({ text, style: colours.heading })),
    table,
    view,
  );
}

function formatRow(row: LiveRow, table: LiveTable, { colours, marks }: Picture, view: View): string {
  const { nowMs, isLast = false } = view;
  const cells = row.cells.map(({ text, changedAtMs, originMs }, column) => {
    const shown = originMs === undefined ? text : ageText(originMs, nowMs);
    const isChanged = !isLast && originMs === undefined && nowMs - changedAtMs < momentMs;
    const colour: Style = (part) => colourCell(part, table.headings[column] ?? '', colours);
    if (row.goneAtMs !== undefined) return { text: shown, style: marks.gone };
    return { text: shown, style: isChanged ? marks.changed : colour };
  });
  return formatCells(cells, table, view);
}

/** Cells in columns, cut where the terminal ends. */
function formatCells(
  cells: readonly { readonly text: string; readonly style: Style }[],
  { widths }: LiveTable,
  { size: { columns } }: View,
): string {
  let line = '';
  let rest = columns;
  for (const [column, { text, style }] of cells.entries()) {
    const isLast = column === cells.length - 1;
    const width = isLast ? 0 : (widths[column] ?? 0);
    // Where a later cell will not fit, this one says that something is missing.
    const fitted = fitText(text, rest);
    line += fitted === '' ? '' : style(fitted);
    const used = Math.max(textWidth(fitted), width);
    if (used >= rest)
      return isLast || fitted.endsWith('…') ? line : withEllipsis(line, rest - textWidth(fitted));
    line += isLast ? '' : ' '.repeat(used - textWidth(fitted));
    rest -= used;
  }
  return line;
}

/** Stands for the columns beyond the edge, where there is room for it. */
const withEllipsis = (line: string, room: number): string =>
  room > 0 ? `${line}${' '.repeat(room - 1)}…` : line;
