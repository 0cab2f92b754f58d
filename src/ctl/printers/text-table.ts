import { showValue } from '../../machinery/go-values/index.ts';

/** Lays out rows in columns: at least 6 wide, 3 blanks apart, nothing after the last cell. */
export interface TextTable {
  /** Rows as lines. Widths only ever grow, so that rows of later calls line up with earlier ones. */
  format(rows: readonly (readonly string[])[]): string;
}

/** Changes a cell's text after its width is known; for colours. */
export type CellStyle = (text: string, row: number, column: number) => string;

const minWidth = 6;
const gap = 3;
const escapes = /\p{Cc}/gu;

/** Makes a layout. */
export function createTextTable(style: CellStyle = (text) => text): TextTable {
  const widths: number[] = [];
  let rowsSoFar = 0;
  return {
    format(rows) {
      for (const row of rows) {
        // The last cell of a row has nothing to its right to line up.
        for (let column = 0; column < row.length - 1; column++) {
          widths[column] = Math.max(widths[column] ?? minWidth, countCharacters(row[column] ?? '') + gap);
        }
      }
      const lines = rows.map((row) => {
        const rowNumber = rowsSoFar++;
        return row
          .map((text, column) => {
            const styled = style(text, rowNumber, column);
            if (column === row.length - 1) return styled;
            return styled + ' '.repeat((widths[column] ?? minWidth) - countCharacters(text));
          })
          .join('');
      });
      return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
    },
  };
}

/** A cell's text on one line, with control characters made visible, so that no server can drive the terminal. */
export function toCellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = showValue(value);
  const lineEnd = text.search(/[\f\n\r]/);
  const line = lineEnd < 0 ? text : `${text.slice(0, lineEnd)}...`;
  return line.replace(escapes, showControl);
}

/** A control character as it is made visible. */
export function showControl(character: string): string {
  return character === '\u001b' ? '^[' : `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function countCharacters(text: string): number {
  // Only text outside ASCII can have more code units than characters.
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return [...text].length;
  return text.length;
}
