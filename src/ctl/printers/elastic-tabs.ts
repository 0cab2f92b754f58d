/** How wide columns are. */
export interface TabOptions {
  /** Blanks between columns. */
  readonly gap?: number;
  readonly minWidth?: number;
  /** Widths of columns so far, which only ever grow; without them each column starts anew. */
  readonly widths?: number[];
}

/**
 * Replaces tabs by blanks so that cells of neighbouring lines stand in columns. A column goes on for as long as lines
 * that follow one another have a cell in it, as in Go's `text/tabwriter`; text after the last tab belongs to no column.
 */
export function alignTabs(text: string, options: TabOptions = {}): string {
  const { gap = 2, minWidth = 0, widths: kept } = options;
  const lines = text.split('\n').map((line) => line.split('\t'));
  const widths: number[][] = lines.map(() => []);
  const columns = lines.reduce((most, cells) => Math.max(most, cells.length), 0);
  for (let column = 0; column < columns; column++) {
    for (let start = 0; start < lines.length; start++) {
      if (!hasCell(lines[start], column)) continue;
      let end = start;
      let width = Math.max(minWidth, kept?.[column] ?? 0);
      while (end < lines.length && hasCell(lines[end], column)) {
        width = Math.max(width, [...(lines[end]?.[column] ?? '')].length + gap);
        end++;
      }
      if (kept !== undefined) kept[column] = width;
      for (let line = start; line < end; line++) (widths[line] ?? [])[column] = width;
      start = end;
    }
  }
  return lines
    .map((cells, line) => cells.map((cell, column) => padCell(cell, widths[line]?.[column])).join(''))
    .join('\n');
}

/** A cell ends with a tab; the rest of a line is no cell. */
function hasCell(cells: readonly string[] | undefined, column: number): boolean {
  return cells !== undefined && column < cells.length - 1;
}

function padCell(cell: string, width: number | undefined): string {
  return width === undefined ? cell : cell + ' '.repeat(Math.max(width - [...cell].length, 0));
}
