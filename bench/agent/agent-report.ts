import type { IdleUsage } from './agent-usage.ts';

/** Everything that a run measured. */
export interface AgentFigures {
  /** From the start of the program until it says that it is healthy, one for each start. */
  readonly healthyMs: readonly number[];
  /** From a manifest to an answer of its pod. */
  readonly podStartMs: readonly number[];
  readonly idle: readonly IdleUsage[];
}

/** What an agent may cost with one pod, and how long a pod may take: not more than the reference's. */
export const goals = { residentMegabytes: 90, cpuPercent: 0.7, podStartMs: 1150 } as const;

/** The figures as a table for people. */
export function renderAgentReport({ healthyMs, podStartMs, idle }: AgentFigures): string {
  const rows: string[][] = [
    ['', 'measured', 'goal'],
    ['start of the agent to healthy', `${median(healthyMs).toFixed(0)} ms`, ''],
    [
      `manifest to answer, median of ${podStartMs.length}`,
      `${median(podStartMs).toFixed(0)} ms`,
      `${goals.podStartMs} ms`,
    ],
    [`manifest to answer, slowest`, `${Math.max(...podStartMs).toFixed(0)} ms`, ''],
    ...idle.flatMap(rowsOf),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')}\n`;
}

/** Goals are for one pod. */
function rowsOf({ pods, residentMegabytes, proportionalMegabytes, cpuPercent }: IdleUsage): string[][] {
  const title = pods === 1 ? '1 pod' : `${pods} pods`;
  const goal = (text: string): string => (pods === 1 ? text : '');
  return [
    [
      `resident memory, ${title}`,
      `${residentMegabytes.toFixed(0)} MB`,
      goal(`${goals.residentMegabytes} MB`),
    ],
    [`  shared pages in parts`, `${proportionalMegabytes.toFixed(0)} MB`, ''],
    [`idle, ${title}`, `${cpuPercent.toFixed(2)} % of a core`, goal(`${goals.cpuPercent} %`)],
  ];
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
