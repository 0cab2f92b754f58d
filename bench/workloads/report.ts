import type { ServerCost, WorkloadFigures } from './measure.ts';

/** What controllers and scheduler may cost over a server without them, with 1,000 pods on 100 nodes. */
const goals = { pods: 1000, readySeconds: 4, cpuSeconds: 1.8, megabytes: 60, idlePercent: 0.3 } as const;

interface Row {
  readonly title: string;
  readonly unit: string;
  readonly digits: number;
  readonly value: (cost: ServerCost) => number;
  /** What the goal bounds: the whole server's value, or what controllers add to it. */
  readonly goal?: { readonly of: 'whole' | 'added'; readonly most: number };
}

const rows: readonly Row[] = [
  {
    title: 'until all pods are ready',
    unit: 's',
    digits: 2,
    value: ({ readySeconds }) => readySeconds,
    goal: { of: 'whole', most: goals.readySeconds },
  },
  { title: 'CPU in that time', unit: 's', digits: 2, value: ({ readyCpuSeconds }) => readyCpuSeconds },
  {
    title: 'CPU until it rests',
    unit: 's',
    digits: 2,
    value: ({ settledCpuSeconds }) => settledCpuSeconds,
    goal: { of: 'added', most: goals.cpuSeconds },
  },
  { title: 'writes', unit: '', digits: 0, value: ({ writes }) => writes },
  { title: 'resident memory before', unit: 'MB', digits: 0, value: ({ megabytesBefore }) => megabytesBefore },
  {
    title: 'resident memory after',
    unit: 'MB',
    digits: 0,
    value: ({ megabytesAfter }) => megabytesAfter,
    goal: { of: 'added', most: goals.megabytes },
  },
  {
    title: 'idle, of one core',
    unit: '%',
    digits: 2,
    value: ({ idlePercent }) => idlePercent,
    goal: { of: 'added', most: goals.idlePercent },
  },
];

/** The figures as a table for people; goals stand beside what they are for. */
export function renderWorkloads({ nodes, pods, whole, without }: WorkloadFigures): string {
  const cells = [
    [`${pods} pods on ${nodes} hollow nodes`, 'whole server', 'no controllers', 'added', 'goal'],
    ...rows.map(({ title, unit, digits, value, goal }) => {
      const show = (number: number): string => `${number.toFixed(digits)} ${unit}`.trimEnd();
      const isBound = goal !== undefined && pods === goals.pods;
      return [
        title,
        show(value(whole)),
        show(value(without)),
        show(value(whole) - value(without)),
        isBound ? `${goal.most} ${unit} ${goal.of}` : '',
      ];
    }),
  ];
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  );
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0);
  return `${cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')}\n`;
}
