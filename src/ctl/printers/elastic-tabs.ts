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
  // Only these are looked at for a column: objects may have texts of many lines, and others of many tabs.
  let open = [...lines.keys()].filter((line) => hasCell(lines[line], 0));
  for (let column = 0; open.length > 0; column++) {
    for (let first = 0, end = 0; first < open.length; first = end) {
      let width = Math.max(minWidth, kept?.[column] ?? 0);
      do {
        const line = open[end++] ?? 0;
        width = Math.max(width, [...(lines[line]?.[column] ?? '')].length + gap);
      } while (open[end] === (open[end - 1] ?? 0) + 1);
      if (kept !== undefined) kept[column] = width;
      for (const line of open.slice(first, end)) (widths[line] ?? [])[column] = width;
    }
    open = open.filter((line) => hasCell(lines[line], column + 1));
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
