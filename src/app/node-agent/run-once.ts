import type { ContainerStatus, Pod, PodStatus } from '../../apis/types/core-v1.ts';
import { type Clock, pause } from '../../base/index.ts';

/** How the start of a pod stands. */
export type StartVerdict =
  | { readonly kind: 'started' }
  | { readonly kind: 'pending'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface RunOnceOptions {
  /** Local pods with their statuses as they are now. */
  readonly pods: () => readonly Pod[];
  /** Resolves when the sources of local pods were read. */
  readonly whenRead: Promise<void>;
  /** Manifests that could not be used. */
  readonly brokenManifests: () => number;
  /** Notified once of each pod when it is known whether it runs. */
  readonly onVerdict: (pod: Pod, verdict: StartVerdict) => void;
  readonly clock: Clock;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** What came of a single run. */
export interface RunOnceResult {
  /** Names of pods, with their namespaces. */
  readonly started: readonly string[];
  readonly failed: readonly string[];
  readonly brokenManifests: number;
}

const pollIntervalMs = 200;
/** A pod that does not run by then counts as failed; release 1.20's tries together take as long. */
const patienceMs = 1_023_000;

/** States of containers that are on their way. */
const beginning: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing']);

/** Waits until each local pod has started, or is known not to. Pods that were not started when `signal` aborts have failed. */
export async function runOnce(options: RunOnceOptions): Promise<RunOnceResult> {
  const { pods, whenRead, brokenManifests, onVerdict, clock, signal } = options;
  await whenRead;
  const lateAtMs = clock.nowMs() + patienceMs;
  const verdicts = new Map<string, StartVerdict>();
  for (;;) {
    const isLate = signal.aborted || clock.nowMs() >= lateAtMs;
    const all = pods();
    for (const pod of all) {
      const uid = pod.metadata.uid ?? '';
      const verdict = judgeStart(pod);
      if (verdicts.has(uid) || (verdict.kind === 'pending' && !isLate)) continue;
      verdicts.set(uid, verdict);
      onVerdict(pod, verdict);
    }
    if (isLate || all.every(({ metadata }) => verdicts.has(metadata.uid ?? ''))) {
      const namesOf = (isStarted: boolean): string[] =>
        all
          .filter(({ metadata }) => (verdicts.get(metadata.uid ?? '')?.kind === 'started') === isStarted)
          .map(podName);
      return { started: namesOf(true), failed: namesOf(false), brokenManifests: brokenManifests() };
    }
    await pause(clock, pollIntervalMs, signal);
  }
}

/** `namespace/name`. */
export const podName = ({ metadata }: Pod): string => `${metadata.namespace}/${metadata.name}`;

/**
 * A pod has started when every container runs or has done its work. It has failed when it was refused or has ended badly,
 * or when a container cannot be started: tries again are for agents that stay.
 */
export function judgeStart({ spec, status }: Pod): StartVerdict {
  if (status.phase === 'Succeeded') return { kind: 'started' };
  const containers = status.containerStatuses ?? [];
  const all = [...(status.initContainerStatuses ?? []), ...containers];
  if (status.phase === 'Failed') return { kind: 'failed', message: failureOf(status, all) };
  for (const { name, state } of all) {
    const waiting = state?.waiting;
    if (waiting == null || beginning.has(waiting.reason ?? '')) continue;
    const why = [waiting.reason, waiting.message].filter(Boolean).join(': ');
    return { kind: 'failed', message: `container "${name}": ${why}` };
  }
  const isComplete = spec.containers?.every(({ name }) =>
    containers.some((each) => each.name === name && isDone(each)),
  );
  return isComplete === true
    ? { kind: 'started' }
    : { kind: 'pending', message: 'its containers are not running' };
}

/** What the pod says of its end, or else its containers. */
function failureOf({ reason, message }: PodStatus, containers: readonly ContainerStatus[]): string {
  const own = [reason, message].filter(Boolean).join(': ');
  if (own !== '') return own;
  const failures = containers.flatMap(({ name, state }) => {
    const end = state?.terminated;
    if (end == null || end.exitCode === 0) return [];
    const why = [end.reason, end.message].filter(Boolean).join(': ');
    return [`container "${name}" ended with exit code ${end.exitCode}: ${why}`];
  });
  return failures.join('; ') || 'the pod failed';
}

const isDone = ({ state }: ContainerStatus): boolean =>
  state?.running != null || state?.terminated?.exitCode === 0;
