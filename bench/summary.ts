import type { LoadResult } from './closed-loop.ts';

/** The figures of one phase, as the client saw them. */
export interface LoadSummary {
  readonly operations: number;
  readonly elapsedMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly bytesPerOperation: number;
  /** Share of one core that the client took; near 1, the client is what limits. */
  readonly clientCores: number;
  readonly failures: readonly string[];
}

/** Sums a run up. `clientCpuMicros` is the CPU time of the process that made the load. */
export function summarize(result: LoadResult, clientCpuMicros: number): LoadSummary {
  const { elapsedMs, latenciesMs, bytes, failures } = result;
  const sorted = Float64Array.from(latenciesMs).sort();
  return {
    operations: sorted.length,
    elapsedMs,
    p50Ms: percentile(sorted, 0.5),
    p99Ms: percentile(sorted, 0.99),
    bytesPerOperation: bytes / Math.max(1, sorted.length),
    clientCores: clientCpuMicros / 1000 / elapsedMs,
    failures,
  };
}

/** The value below which `share` of the sorted values lie; 0 without values. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
