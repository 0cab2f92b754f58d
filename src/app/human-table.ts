import type { ProgramIo } from './program-io.ts';

/** Rows for people to read, all of the same length. */
export interface HumanTable {
  readonly head?: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const noLines = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** The table with lines around its cells on a terminal, else its columns alone; ends with a line break. */
export async function renderTable(
  { head = [], rows }: HumanTable,
  { outputColumns }: Pick<ProgramIo, 'outputColumns'>,
): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const isPlain = outputColumns === undefined;
  const table = new Table({
    // The library would colour heads and lines whatever the environment says.
    style: {
      head: [],
      border: [],
      compact: true,
      ...(isPlain ? { 'padding-left': 0, 'padding-right': 0 } : {}),
    },
    ...(isPlain ? { chars: noLines } : {}),
  });
  if (head.length > 0) table.options.head = [...head];
  table.push(...rows.map((row) => [...row]));
  const lines = table.toString().split('\n');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
