import type { ContainerStop, PodAction, PodPlan, WaitingContainer } from './actions.ts';
import { type BackOff, type BackOffs, backOffKey, nextBackOff, waitUntilMs } from './back-off.ts';
import { groupInstances, hasSucceeded, mayRun, newestSandbox } from './instances.ts';
import { planStop } from './plan-end.ts';
import { decideSandbox, findInitProgress } from './pod-progress.ts';
import type { DesiredContainer, DesiredPod, ObservedContainer, ObservedPod } from './pod-state.ts';

/** What a plan is made from. */
export interface PlanPodOptions {
  readonly desired: DesiredPod;
  readonly observed: ObservedPod;
  /** Those of the last plan of this pod; none at first, and after the agent was started anew. */
  readonly backOffs: BackOffs;
  /** Names of containers that must not be started now, whatever their back-off says. */
  readonly held?: ReadonlySet<string> | undefined;
  /** Names of ephemeral containers that are to be started unless an instance of them has begun; none when left out. */
  readonly startsEphemeral?: ReadonlySet<string> | undefined;
  readonly nowMs: number;
}

/** What is desired of the processes of a pod, before back-offs have their say. */
interface Intent {
  /** Everything of the pod ends, before anything else. */
  readonly stopsPod: boolean;
  readonly sandboxAttempt: number | undefined;
  readonly stops: readonly ContainerStop[];
  readonly starts: readonly DesiredContainer[];
  /** Started before the others; back-offs do not concern them. */
  readonly ephemeralStarts: readonly DesiredContainer[];
}

const nothing: Intent = {
  stopsPod: false,
  sandboxAttempt: undefined,
  stops: [],
  starts: [],
  ephemeralStarts: [],
};
const initDone = { kind: 'done' } as const;
const wholeEnd: Intent = { ...nothing, stopsPod: true };

type Instances = ReadonlyMap<string, readonly ObservedContainer[]>;

/**
 * The next actions that bring a pod closer to what its source desires. Follows the rules of release 1.20: a pod without a
 * good sandbox begins anew, init containers run one after the other, containers end and start by themselves, and a
 * start after an end waits for its back-off. A pod whose containers have all ended for good keeps no sandbox.
 */
export function planPod(options: PlanPodOptions): PodPlan {
  const { desired, observed, backOffs, held, nowMs } = options;
  const instances = groupInstances(observed.containers);
  const intent = decide(options, instances);
  const sandboxId = intent.sandboxAttempt === undefined ? newestSandbox(observed)?.id : undefined;
  const nextBackOffs = keepBackOffs(desired, backOffs);
  const waiting: WaitingContainer[] = [];
  const starts: PodAction[] = intent.ephemeralStarts
    .filter(({ name }) => held?.has(name) !== true)
    .flatMap((container) => startsOf(desired, container, instances, sandboxId));
  for (const container of intent.starts) {
    if (held?.has(container.name)) continue;
    const wait = enterBackOff(container, instances, nextBackOffs, nowMs);
    if (wait !== undefined) waiting.push(wait);
    else starts.push(...startsOf(desired, container, instances, sandboxId));
  }
  return {
    actions: [...preparationsOf(desired, observed, intent), ...starts],
    waiting,
    backOffs: nextBackOffs,
  };
}

function decide({ desired, observed, startsEphemeral }: PlanPodOptions, instances: Instances): Intent {
  const decision = decideSandbox(desired, observed);
  if (decision.kind === 'create') return decideNewSandbox(desired, observed, instances, decision.attempt);
  const intent = decideInSandbox(desired, observed, instances, decision.sandbox.id);
  if (intent.stopsPod || startsEphemeral === undefined) return intent;
  const ephemeralStarts = (desired.ephemeralContainers ?? []).filter(({ name }) => {
    const newest = instances.get(name)?.[0];
    return startsEphemeral.has(name) && (newest === undefined || newest.state === 'created');
  });
  return { ...intent, ephemeralStarts };
}

function decideInSandbox(
  desired: DesiredPod,
  observed: ObservedPod,
  instances: Instances,
  id: string,
): Intent {
  const inSandbox = groupInstances(observed.containers.filter(({ podSandboxId }) => podSandboxId === id));
  // Containers are begun after initialization only, whose instances may have been removed since.
  const hasBegun = desired.containers.some(({ name }) => inSandbox.has(name));
  const progress = hasBegun ? initDone : findInitProgress(desired.initContainers, inSandbox);
  const strays = findStrays(desired, instances, id);
  switch (progress.kind) {
    case 'running':
      return { ...nothing, stops: strays };
    case 'next': {
      if (progress.failed !== undefined && desired.restartPolicy === 'Never') return wholeEnd;
      const stops = progress.failed === undefined ? [] : stopUnknown(desired, progress.failed);
      return { ...nothing, stops: [...strays, ...stops], starts: [progress.container] };
    }
    case 'done':
      return decideContainers(desired, instances, strays, id);
  }
}

/** What of a pod without a good sandbox is to run again. */
function decideNewSandbox(
  desired: DesiredPod,
  observed: ObservedPod,
  instances: Instances,
  attempt: number,
): Intent {
  const isFirst = attempt === 0 || observed.containers.length === 0;
  if (desired.restartPolicy === 'Never' && !isFirst) return wholeEnd;
  const pending = desired.containers.filter(({ name }) => {
    const newest = instances.get(name)?.[0];
    return desired.restartPolicy !== 'OnFailure' || newest === undefined || !hasSucceeded(newest);
  });
  if (pending.length === 0) return wholeEnd;
  const starts = desired.initContainers.length === 0 ? pending : desired.initContainers.slice(0, 1);
  return { ...wholeEnd, sandboxAttempt: attempt, starts };
}

function decideContainers(
  desired: DesiredPod,
  instances: Instances,
  strays: readonly ContainerStop[],
  sandboxId: string,
): Intent {
  const stops: ContainerStop[] = [...strays];
  const starts: DesiredContainer[] = [];
  let keptCount = 0;
  for (const container of desired.containers) {
    const newest = instances.get(container.name)?.[0];
    if (newest?.state !== 'running' || newest.podSandboxId !== sandboxId) {
      if (!isStartedAgain(desired, newest)) continue;
      starts.push(container);
      // In another sandbox it is a stray, which is stopped already.
      if (newest?.podSandboxId === sandboxId) stops.push(...stopUnknown(desired, newest));
      continue;
    }
    const flaw = findFlaw(container, newest);
    if (flaw === undefined) {
      keptCount++;
      continue;
    }
    const isRestarted = flaw.isChange || desired.restartPolicy !== 'Never';
    const message = `Container ${container.name} ${flaw.text}${isRestarted ? ', will be restarted' : ''}`;
    stops.push({ containerId: newest.id, name: newest.name, graceMs: desired.terminationGraceMs, message });
    if (isRestarted) starts.push(container);
  }
  return keptCount + starts.length === 0 ? wholeEnd : { ...nothing, stops, starts };
}

/** Whether a container of which nothing runs is to be started. */
function isStartedAgain({ restartPolicy }: DesiredPod, newest: ObservedContainer | undefined): boolean {
  if (newest === undefined || newest.state !== 'exited') return true;
  if (restartPolicy === 'Never') return false;
  return restartPolicy === 'Always' || newest.exitCode !== 0;
}

/** Why a running container must end; undefined when it need not. */
function findFlaw(
  { specHash }: DesiredContainer,
  { specHash: runningHash, health }: ObservedContainer,
): { readonly text: string; readonly isChange: boolean } | undefined {
  if (runningHash !== specHash) return { text: 'definition changed', isChange: true };
  if (health === 'liveness-failed') return { text: 'failed liveness probe', isChange: false };
  if (health === 'startup-failed') return { text: 'failed startup probe', isChange: false };
  return undefined;
}

/** An instance of unknown state is stopped before another one takes its place. */
function stopUnknown(desired: DesiredPod, { id, name, state }: ObservedContainer): readonly ContainerStop[] {
  if (state !== 'unknown') return [];
  const message = 'Container is in unknown state, try killing it before restart';
  return [{ containerId: id, name, graceMs: desired.terminationGraceMs, message }];
}

/** Instances that may run beside a newer one, outside the pod's sandbox, or of a container that the pod has no more. */
function findStrays(
  { initContainers, containers, ephemeralContainers = [], terminationGraceMs }: DesiredPod,
  instances: Instances,
  sandboxId: string,
): readonly ContainerStop[] {
  const all = [...initContainers, ...containers, ...ephemeralContainers];
  const names = new Set(all.map(({ name }) => name));
  return [...instances.values()]
    .flatMap((group) =>
      group.filter((each, index) => index > 0 || each.podSandboxId !== sandboxId || !names.has(each.name)),
    )
    .filter(mayRun)
    .map(({ id, name }) => {
      const message = `Container ${name} is not part of the pod any more`;
      return { containerId: id, name, graceMs: terminationGraceMs, message };
    });
}

/** Those of containers that the pod still has as they were. */
function keepBackOffs({ initContainers, containers }: DesiredPod, backOffs: BackOffs): Map<string, BackOff> {
  const keys = new Set([...initContainers, ...containers].map(backOffKey));
  return new Map([...backOffs].filter(([key]) => keys.has(key)));
}

/** Sets the back-off of a start; gives the wait instead when there is one. */
function enterBackOff(
  container: DesiredContainer,
  instances: Instances,
  backOffs: Map<string, BackOff>,
  nowMs: number,
): WaitingContainer | undefined {
  const ended = instances.get(container.name)?.find(({ state }) => state === 'exited');
  if (ended?.finishedAtMs === undefined) return undefined;
  const key = backOffKey(container);
  const current = backOffs.get(key);
  const untilMs = waitUntilMs(current, ended.finishedAtMs, nowMs);
  if (current !== undefined && untilMs !== undefined) {
    return { name: container.name, delayMs: current.delayMs, untilMs };
  }
  backOffs.set(key, nextBackOff(current, ended.finishedAtMs, nowMs));
  return undefined;
}

/**
 * One that was created and never started makes room first: an agent that was killed may have asked for its start, which
 * may still come about, and either the removal or the start fails then. It counts as no attempt.
 */
function startsOf(
  { initContainers }: DesiredPod,
  { name }: DesiredContainer,
  instances: Instances,
  podSandboxId: string | undefined,
): readonly PodAction[] {
  const newest = instances.get(name)?.[0];
  const isInit = initContainers.some((each) => each.name === name);
  const hasRun = newest !== undefined && newest.state !== 'created';
  const attempt = newest === undefined ? 0 : newest.attempt + (hasRun ? 1 : 0);
  const start: PodAction = { kind: 'start-container', name, isInit, attempt, podSandboxId };
  return newest === undefined || hasRun
    ? [start]
    : [{ kind: 'remove-container', containerId: newest.id }, start];
}

/** What comes before the starts. */
function preparationsOf(desired: DesiredPod, observed: ObservedPod, intent: Intent): readonly PodAction[] {
  const actions: PodAction[] = [];
  if (intent.stopsPod) actions.push(...planStop(observed, { graceMs: desired.terminationGraceMs }));
  if (intent.stops.length > 0) actions.push({ kind: 'stop-containers', stops: intent.stops });
  if (intent.sandboxAttempt !== undefined) {
    actions.push({ kind: 'create-sandbox', attempt: intent.sandboxAttempt });
  }
  return actions;
}
