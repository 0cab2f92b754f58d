import type { LoadSummary } from './summary.ts';

/** One phase with what it cost the server. */
export interface PhaseFigures extends LoadSummary {
  readonly name: string;
  readonly serverCpuMicros: number;
}

/** Everything that a run measured. */
export interface BenchFigures {
  readonly readyMs: readonly number[];
  readonly idleMegabytes: number;
  readonly afterMegabytes: number;
  readonly phases: readonly PhaseFigures[];
}

/** The figures as a table for people. */
export function renderReport({ readyMs, idleMegabytes, afterMegabytes, phases }: BenchFigures): string {
  const rows = [
    ['', 'operations/s', 'p50 ms', 'p99 ms', 'server CPU µs', 'server cores', 'client cores'],
    ...phases.map((phase) => [
      phase.name,
      round((phase.operations * 1000) / phase.elapsedMs, 0),
      round(phase.p50Ms, 2),
      round(phase.p99Ms, 2),
      round(phase.serverCpuMicros / phase.operations, 1),
      round(phase.serverCpuMicros / 1000 / phase.elapsedMs, 2),
      round(phase.clientCores, 2),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [
    `ready after start, empty data directory: ${readyMs.map((ms) => round(ms, 0)).join(', ')} ms`,
    `resident memory: ${round(idleMegabytes, 0)} MB idle, ${round(afterMegabytes, 0)} MB after the run`,
    '',
    ...lines,
    '',
  ].join('\n');
}

const round = (value: number, digits: number): string => value.toFixed(digits);
