import type { CommandCost } from './measure-command.ts';

/** What one command takes of one client, or of two. */
export interface CommandFigures {
  readonly command: string;
  /** Time on the clock, at most. */
  readonly goalMs?: number | undefined;
  readonly own: CommandCost;
  readonly other: CommandCost | undefined;
}

/** The figures as a table for people. */
export function renderCtlReport(figures: readonly CommandFigures[]): string {
  const isCompared = figures.some(({ other }) => other !== undefined);
  const rows = [
    ['', 'clock', 'CPU', 'goal', ...(isCompared ? ['other: clock', 'CPU'] : [])],
    ...figures.map(({ command, goalMs, own, other }) => [
      command,
      ...cellsOf(own),
      goalMs === undefined ? '' : `${goalMs} ms`,
      ...(other === undefined ? [] : cellsOf(other)),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')}\n`;
}

const cellsOf = ({ wallMs, cpuMs }: CommandCost): string[] => [
  `${wallMs.toFixed(0)} ms`,
  `${cpuMs.toFixed(0)} ms`,
];
