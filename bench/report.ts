import type { LoopDelay } from './measured-server.ts';
import type { LoadSummary } from './summary.ts';

/** One phase with what it cost the server, where that is known. */
export interface PhaseFigures extends LoadSummary {
  readonly name: string;
  readonly serverCpuMicros: number | undefined;
  readonly loopDelay: LoopDelay | undefined;
}

/** Everything that a run measured. */
export interface BenchFigures {
  /** Empty when the server was running already. */
  readonly readyMs: readonly number[];
  readonly idleMegabytes: number | undefined;
  readonly filledMegabytes: number | undefined;
  readonly afterMegabytes: number | undefined;
  readonly phases: readonly PhaseFigures[];
}

/** The figures as a table for people. */
export function renderReport(figures: BenchFigures): string {
  const { readyMs, idleMegabytes, filledMegabytes, afterMegabytes, phases } = figures;
  const rows = [
    [
      '',
      'operations/s',
      'p50 ms',
      'p99 ms',
      'server CPU µs',
      'server cores',
      'client cores',
      'loop p99/max ms',
      'max CPU ms',
    ],
    ...phases.map(rowOf),
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
  const memory = [
    `${round(idleMegabytes, 0)} MB idle`,
    `${round(filledMegabytes, 0)} MB filled`,
    `${round(afterMegabytes, 0)} MB after the run`,
  ];
  return [
    ...(readyMs.length === 0
      ? []
      : [`ready after start, empty data directory: ${readyMs.map((ms) => round(ms, 0)).join(', ')} ms`]),
    `resident memory: ${memory.join(', ')}`,
    '',
    ...lines,
    '',
  ].join('\n');
}

function rowOf(phase: PhaseFigures): string[] {
  const { name, operations, elapsedMs, p50Ms, p99Ms, serverCpuMicros: cpu, clientCores, loopDelay } = phase;
  return [
    name,
    round((operations * 1000) / elapsedMs, 0),
    round(p50Ms, 2),
    round(p99Ms, 2),
    round(cpu === undefined ? undefined : cpu / operations, 1),
    round(cpu === undefined ? undefined : cpu / 1000 / elapsedMs, 2),
    round(clientCores, 2),
    loopDelay === undefined ? '' : `${round(loopDelay.p99Ms, 0)}/${round(loopDelay.maxMs, 0)}`,
    loopDelay === undefined ? '' : round(loopDelay.maxCpuMs, 0),
  ];
}

/** What nobody could measure is a dash. */
const round = (value: number | undefined, digits: number): string => value?.toFixed(digits) ?? '-';
