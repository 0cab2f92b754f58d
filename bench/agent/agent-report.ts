import type { IdleUsage } from './agent-usage.ts';

/** Everything that a run measured. */
export interface AgentFigures {
  /** From the start of the program until it says that it is healthy, one for each start. */
  readonly healthyMs: readonly number[];
  /** From a manifest to an answer of its pod. */
  readonly podStartMs: readonly number[];
  /** With more and more pods. */
  readonly idle: readonly IdleUsage[];
  /** From the moment the last of these pods are no longer wanted until nothing is left of them. */
  readonly endMs: number;
  /** From the return of a server until the node is Ready again. */
  readonly outageMs: number;
}

/** How long a pod may take: not more than with the reference. */
export const goals = { podStartMs: 1150, outageMs: 8000, megabytesPerPod: 0.25 } as const;
/** What an agent may cost with so many pods. */
export const idleGoals: Readonly<Record<number, Pick<IdleUsage, 'residentMegabytes' | 'cpuPercent'>>> = {
  1: { residentMegabytes: 90, cpuPercent: 0.7 },
  100: { residentMegabytes: 115, cpuPercent: 3 },
};

/** The figures as a table for people. */
export function renderAgentReport({ healthyMs, podStartMs, idle, endMs, outageMs }: AgentFigures): string {
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
    ...growthRows(idle),
    [`end of ${idle.at(-1)?.pods} pods at once`, `${(endMs / 1000).toFixed(1)} s`, ''],
    ['node ready after an outage', `${(outageMs / 1000).toFixed(1)} s`, `${goals.outageMs / 1000} s`],
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')}\n`;
}

function rowsOf({ pods, residentMegabytes, proportionalMegabytes, cpuPercent }: IdleUsage): string[][] {
  const title = pods === 1 ? '1 pod' : `${pods} pods`;
  const goal = idleGoals[pods];
  return [
    [
      `resident memory, ${title}`,
      `${residentMegabytes.toFixed(0)} MB`,
      goal ? `${goal.residentMegabytes} MB` : '',
    ],
    [`  shared pages in parts`, `${proportionalMegabytes.toFixed(0)} MB`, ''],
    [`idle, ${title}`, `${cpuPercent.toFixed(2)} % of a core`, goal ? `${goal.cpuPercent} %` : ''],
  ];
}

/** What each further pod takes in memory, from the fewest to the most. */
function growthRows(idle: readonly IdleUsage[]): string[][] {
  const [first, last] = [idle[0], idle.at(-1)];
  if (first === undefined || last === undefined || first === last) return [];
  const growth = (last.residentMegabytes - first.residentMegabytes) / (last.pods - first.pods);
  return [['resident memory, a further pod', `${growth.toFixed(2)} MB`, `${goals.megabytesPerPod} MB`]];
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}
