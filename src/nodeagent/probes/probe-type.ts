import type { Container, Probe } from '../../apis/types/core-v1.ts';

/** What a probe is for. */
export type ProbeType = 'startup' | 'liveness' | 'readiness';

/** What is known of a container by one probe. */
export type ProbeState = 'unknown' | 'success' | 'failure';

/** All probe types; the startup probe comes first, as the others wait for it. */
export const probeTypes = ['startup', 'liveness', 'readiness'] as const satisfies readonly ProbeType[];

/** As events name them. */
export const probeTitles: Readonly<Record<ProbeType, string>> = {
  startup: 'Startup',
  liveness: 'Liveness',
  readiness: 'Readiness',
};

/** States before the first result: alive, but neither started nor ready. */
export const initialStates: Readonly<Record<ProbeType, ProbeState>> = {
  startup: 'unknown',
  liveness: 'success',
  readiness: 'failure',
};

/** The container's probe of that type. */
export function findProbe(container: Container, type: ProbeType): Probe | undefined {
  const { startupProbe, livenessProbe, readinessProbe } = container;
  return { startup: startupProbe, liveness: livenessProbe, readiness: readinessProbe }[type] ?? undefined;
}

/** A probe's numbers, with the API's defaults where it says none. */
export interface ProbeTimes {
  readonly initialDelayMs: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
}

/** Longest time: timers take at most 2^31 ms, and a larger one would fire at once. */
const longestMs = 1_000_000_000;

/** Numbers of a probe as they are counted with; each at least 1 but the delay, times at most 11 days. */
export function readTimes(probe: Probe): ProbeTimes {
  const { initialDelaySeconds, periodSeconds, timeoutSeconds, successThreshold, failureThreshold } = probe;
  return {
    initialDelayMs: toMs(Math.max(0, initialDelaySeconds ?? 0)),
    periodMs: toMs(Math.max(1, periodSeconds || 10)),
    timeoutMs: toMs(Math.max(1, timeoutSeconds || 1)),
    successThreshold: Math.max(1, successThreshold || 1),
    failureThreshold: Math.max(1, failureThreshold || 3),
  };
}

const toMs = (seconds: number): number => Math.min(seconds * 1000, longestMs);
