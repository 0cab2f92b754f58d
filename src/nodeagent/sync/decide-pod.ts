/**
 * Decides what a pod needs: from what its source desires, what the runtime has and the time, to the actions that come
 * next and the status that the pod has. Pure: asks no runtime, keeps nothing and waits for nothing; whoever carries a
 * decision out reads the runtime and decides again. After the pod actions, statuses and back-offs of release
 * 1.20. It does not pull images, run probes or hooks, or choose pods to evict: it is given how those went.
 */

import { everyContainer } from '../../apis/core/pod-spec/index.ts';
import { formatDurationMs } from '../../machinery/go-values/index.ts';
import type { PodAction, PodPlan } from './actions.ts';
import { findDeadlineMs } from './deadline.ts';
import { minGraceMs, toDesiredPod } from './desired-pod.ts';
import { groupInstances, mayRun } from './instances.ts';
import { toObservedPod } from './observe-pod.ts';
import { planStop } from './plan-end.ts';
import { planPod } from './plan-pod.ts';
import { isTerminal, type PodInput, type PodMemory, previousStatus } from './pod-input.ts';
import type { DesiredPod, ObservedPod } from './pod-state.ts';
import { podStatus } from './pod-status.ts';
import { recallBackOffs } from './recall-back-offs.ts';
import {
  crashLoopFailure,
  findHolds,
  keepFailures,
  keepImageBackOffs,
  nextFailureChangeMs,
} from './start-failures.ts';

/** How long the start of a container that is there may take; far longer than runtimes need. */
const startWaitMs = 3000;
/** When a pod that cannot be run is synced again (the wait of release 1.20 after a failed sync). */
const blockedSyncMs = 10_000;

/** What to do for a pod now, and what to remember of that. */
export interface PodDecision {
  /** To be done in order; what comes after a failure is not. */
  readonly actions: readonly PodAction[];
  /** For the next decision; `memory.status` is the pod's status now. */
  readonly memory: PodMemory;
  /** When to decide again though nothing was seen to change; undefined when that needs no time. */
  readonly syncAtMs: number | undefined;
  /** The pod is to run no more, and nothing of it runs: a deleted pod may be taken from the API server. */
  readonly hasEnded: boolean;
}

/**
 * Decides on one pod: ends it when it was deleted, evicted, has finished or outlived its deadline, else brings it
 * closer to what its source desires. Decide again whenever the runtime, a probe, the pod or its verdict changes, and at
 * `syncAtMs`; report starts with `recordStart`. Pods that no source desires any more are for `planRemoval`.
 */
export function decidePod(input: PodInput): PodDecision {
  const { pod, nowMs } = input;
  const desired = toDesiredPod(pod);
  const observed = toObservedPod(input.view, {
    hashAnnotation: input.hashAnnotation,
    healthOf: (id) => input.probesOf(id).health,
  });
  const memory = {
    ...input.memory,
    failures: keepFailures(desired, observed, input.memory.failures),
    imageBackOffs: keepImageBackOffs(input.memory.imageBackOffs, imagesOf(input)),
  };
  const status = podStatus({ ...input, memory });
  const graceMs = findEndGraceMs(input, desired, isTerminal(status));
  if (graceMs !== undefined) {
    const hasEnded = input.starting.size === 0 && !runs(observed);
    const actions = planStop(observed, { graceMs });
    return { actions, memory: { ...memory, status }, syncAtMs: undefined, hasEnded };
  }
  if (input.block !== undefined) {
    const actions = planStop(observed, { graceMs: desired.terminationGraceMs });
    const syncAtMs = findNextSyncMs(input, memory, [nowMs + blockedSyncMs]);
    return { actions, memory: { ...memory, status }, syncAtMs, hasEnded: false };
  }
  const isFirst = input.memory.status === undefined;
  const fresh = freshlyCreated(observed, nowMs);
  const plan = planPod({
    desired,
    observed,
    backOffs: isFirst ? recallBackOffs(desired, observed, memory.backOffs) : memory.backOffs,
    held: new Set([
      ...findHolds(observed, memory.failures, nowMs).keys(),
      ...fresh.keys(),
      ...input.starting.keys(),
    ]),
    startsEphemeral: input.runsEphemeral === true ? notBegun(input) : undefined,
    nowMs,
  });
  const next = { ...memory, backOffs: plan.backOffs, failures: withWaiting(desired, memory, plan, nowMs) };
  return {
    actions: [...plan.actions, ...pruneInit(desired, observed, plan)],
    memory: { ...next, status: plan.waiting.length === 0 ? status : podStatus({ ...input, memory: next }) },
    syncAtMs: findNextSyncMs(input, next, [...fresh.values()]),
    hasEnded: false,
  };
}

/** The grace with which the pod must end; undefined when it goes on. */
function findEndGraceMs(
  { pod, verdict }: PodInput,
  desired: DesiredPod,
  isOver: boolean,
): number | undefined {
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  if (verdict?.graceMs !== undefined) return verdict.graceMs;
  if (typeof deletionTimestamp === 'string') {
    if (deletionGracePeriodSeconds === undefined) return desired.terminationGraceMs;
    return Math.max(minGraceMs, deletionGracePeriodSeconds * 1000);
  }
  return isOver ? desired.terminationGraceMs : undefined;
}

function runs({ sandboxes, containers }: ObservedPod): boolean {
  return containers.some(mayRun) || sandboxes.some(({ state }) => state === 'ready');
}

function imagesOf({ pod: { spec } }: PodInput): ReadonlySet<string> {
  return new Set(everyContainer(spec).map(({ container }) => container.image ?? ''));
}

/** Ephemeral containers that were never seen to run: a runtime may have forgotten those that were. */
function notBegun(input: PodInput): ReadonlySet<string> {
  const shown = previousStatus(input).ephemeralContainerStatuses ?? [];
  const begun = new Set(
    shown.flatMap(({ name, state }) => ((state.running ?? state.terminated) ? [name] : [])),
  );
  const all = (input.pod.spec.ephemeralContainers ?? []).map(({ name }) => name);
  return new Set(all.filter((name) => !begun.has(name)));
}

/** Failures with those that stand for crash-loop back-offs. */
function withWaiting(
  desired: DesiredPod,
  { failures }: PodMemory,
  { waiting }: PodPlan,
  nowMs: number,
): PodMemory['failures'] {
  if (waiting.length === 0) return failures;
  const all = [...desired.initContainers, ...desired.containers];
  const next = new Map(failures);
  for (const { name, delayMs, untilMs } of waiting) {
    const container = all.find((each) => each.name === name);
    const delay = formatDurationMs(delayMs);
    if (container !== undefined)
      next.set(name, crashLoopFailure(desired, container, { delay, untilMs, nowMs }));
  }
  return next;
}

/** Init containers keep their newest instance only, however many dead ones others keep. */
function pruneInit(
  { initContainers }: DesiredPod,
  { containers }: ObservedPod,
  { actions }: PodPlan,
): readonly PodAction[] {
  if (actions.some(({ kind }) => kind === 'stop-pod')) return [];
  const names = new Set(initContainers.map(({ name }) => name));
  const groups = groupInstances(containers.filter(({ name }) => names.has(name)));
  return [...groups.values()]
    .flatMap((group) => group.slice(1))
    .filter((each) => !mayRun(each))
    .map(({ id }) => ({ kind: 'remove-container', containerId: id }));
}

/**
 * Containers that were made a moment ago and do not run, with when they count as never started: an agent that was killed
 * may have asked for their start, which is under way then. Most often there are none.
 */
function freshlyCreated({ containers }: ObservedPod, nowMs: number): Map<string, number> {
  const fresh = new Map<string, number>();
  for (const { name, state, createdAtMs } of containers) {
    const untilMs = createdAtMs + startWaitMs;
    if (state === 'created' && createdAtMs <= nowMs && nowMs < untilMs) fresh.set(name, untilMs);
  }
  return fresh;
}

function findNextSyncMs(
  input: PodInput,
  { failures }: PodMemory,
  others: readonly number[],
): number | undefined {
  const { nowMs } = input;
  const moments = [...failures.values()].map((failure) => nextFailureChangeMs(failure, nowMs));
  moments.push(...others);
  const deadlineMs = findDeadlineMs(input);
  if (deadlineMs !== undefined) moments.push(deadlineMs);
  const ahead = moments.filter((atMs) => atMs > nowMs);
  return ahead.length === 0 ? undefined : Math.min(...ahead);
}
