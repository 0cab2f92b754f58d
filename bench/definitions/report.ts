import type { DefinitionFigures } from './measure.ts';

/** A goal beside what was measured. */
interface Row {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly isMet: boolean;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Goals, by the number of definitions that they are for. */
const goals = {
  servedMs: 120_000,
  lastToFirst: 1.5,
  loopMs: 50,
  /** Beyond three times the stored bytes. */
  unusedBytes: 100_000,
  readyMs: 2500,
  customToBuiltIn: 1.3,
  coldGetMs: 400,
} as const;

/** Goals beside the measured values, as a table for people. */
export function renderDefinitions(figures: DefinitionFigures): string {
  const { count, storedBytes, memory, emptyStarts, coldGetMs, warmGetMs } = figures;
  const rows = rowsOf(figures);
  const widths = (['what', 'goal'] as const).map((name) => Math.max(...rows.map((row) => row[name].length)));
  const lines = rows.map(({ what, goal, measured, isMet }) =>
    [what.padEnd(widths[0] ?? 0), goal.padStart(widths[1] ?? 0), isMet ? 'met   ' : 'MISSED', measured].join(
      '  ',
    ),
  );
  return [
    `${count} definitions, ${(storedBytes / 1000).toFixed(1)} kB each as stored`,
    `resident memory: ${show(memory.empty)} MB empty, ${show(memory.created)} MB after the last create, ${show(memory.asked)} MB when every`,
    `collection was asked for; after a start ${show(memory.start)} MB, with an empty store ${show(memory.emptyStart)} MB`,
    `start with an empty store ${show(median(emptyStarts.map(({ elapsedMs }) => elapsedMs)))} ms;`,
    `ctl get: ${coldGetMs.map((ms) => show(ms)).join(', ')} ms with an empty cache, ${warmGetMs.map((ms) => show(ms)).join(', ')} ms after that`,
    '',
    ...lines,
    '',
  ].join('\n');
}

const show = (value: number, digits = 0): string => value.toFixed(digits);

function rowsOf(figures: DefinitionFigures): Row[] {
  const { served, created, firstHundred, lastHundred, starts, coldGetMs } = figures;
  const ratio = lastHundred.elapsedMs / firstHundred.elapsedMs;
  const cpuRatio = lastHundred.cpuMs / firstHundred.cpuMs;
  const ready = median(starts.map(({ elapsedMs }) => elapsedMs));
  return [
    {
      what: 'all served, from the start of the create loop',
      goal: `${goals.servedMs / 1000} s`,
      measured: `${show(served.elapsedMs / 1000, 1)} s (created in ${show(created.elapsedMs / 1000, 1)} s; CPU of the server ${show(served.cpuMs / 1000, 1)} s)`,
      isMet: served.elapsedMs <= goals.servedMs,
    },
    {
      what: 'last hundred to first hundred',
      goal: String(goals.lastToFirst),
      measured: `${show(ratio, 2)} (${show(lastHundred.elapsedMs)} to ${show(firstHundred.elapsedMs)} ms; by CPU ${show(cpuRatio, 2)})`,
      isMet: ratio <= goals.lastToFirst,
    },
    loopRow('event loop held, creating', figures.creating),
    loopRow('event loop held, asking for all', figures.asking),
    memoryRow('memory of a definition, created', figures, figures.memory.created - figures.memory.empty),
    memoryRow(
      'memory of a definition, after a start',
      figures,
      figures.memory.start - figures.memory.emptyStart,
    ),
    {
      what: 'ready after a start with all definitions',
      goal: `${goals.readyMs} ms`,
      measured: `${starts.map(({ elapsedMs }) => show(elapsedMs)).join(', ')} ms (CPU ${starts.map(({ cpuMs }) => show(cpuMs)).join(', ')} ms)`,
      isMet: ready <= goals.readyMs,
    },
    ...objectRows(figures),
    {
      what: 'ctl get of a custom resource, empty cache',
      goal: `${goals.coldGetMs} ms`,
      measured: `${show(median(coldGetMs))} ms`,
      isMet: median(coldGetMs) <= goals.coldGetMs,
    },
  ];
}

/** On a machine that others use, turns on the clock are longer than their work: the thread's own CPU time counts. */
const loopRow = (what: string, { maxMs, maxCpuMs }: DefinitionFigures['creating']): Row => ({
  what,
  goal: `${goals.loopMs} ms`,
  measured: `${show(maxCpuMs)} ms of CPU at most in one turn (${show(maxMs)} ms on the clock)`,
  isMet: maxCpuMs <= goals.loopMs,
});

function memoryRow(what: string, { count, storedBytes }: DefinitionFigures, megabytes: number): Row {
  const bytes = (megabytes * 1e6) / count;
  const limit = goals.unusedBytes + 3 * storedBytes;
  return {
    what,
    goal: `${show(limit / 1000)} kB`,
    measured: `${show(bytes / 1000)} kB`,
    isMet: bytes <= limit,
  };
}

function objectRows({ objects }: DefinitionFigures): Row[] {
  return objects.map(({ operation, micros }) => {
    const { custom = 0, ...builtIn } = micros;
    const best = Object.entries(builtIn).map(
      ([kind, cost]) => `${show(custom / cost, 2)} x ${kind} (${show(cost)} µs)`,
    );
    return {
      what: `${operation}, custom ${show(custom)} µs`,
      goal: `${goals.customToBuiltIn} x`,
      measured: best.join(', '),
      isMet: Object.values(builtIn).every((cost) => custom <= cost * goals.customToBuiltIn),
    };
  });
}
