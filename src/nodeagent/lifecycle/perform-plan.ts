import type { Pod } from '../../apis/types/core-v1.ts';
import { hashContainer, type PodAction, type RuntimeView, type StartResult } from '../sync/index.ts';
import type { MountedVolume } from '../volumes/index.ts';
import { findSandbox, makeSandbox, type UsableSandbox } from './make-sandbox.ts';
import { filesOf, findContainer, type LifecycleParts } from './parts.ts';
import { preparePod } from './prepare-pod.ts';
import { type StartRequest, startContainer } from './start-container.ts';
import { stopContainer } from './stop-container.ts';
import { waitForAll } from './wait-for-all.ts';

/** What the actions of a plan are carried out on. */
export interface PlanRun {
  readonly pod: Pod;
  readonly actions: readonly PodAction[];
  /** What the plan was made from. */
  readonly view: RuntimeView;
  readonly podIp: string | undefined;
  /** From the polite signal to the deadly one, for containers whose hook fails. */
  readonly graceMs: number;
  /** Whether the pod goes for good: its logs go before the runtime forgets it, so that no crash leaves them behind. */
  readonly isRemoval: boolean;
  /** Nothing is started once it aborts: starts that have not begun are left out, others end where they are. */
  readonly signal: AbortSignal;
  /** Told of each start that was tried, at its end. */
  readonly onStart: (result: StartResult) => void;
}

/**
 * Does what a plan says, in its order. A start that fails is told and does not keep others from being tried; any other
 * failure ends the run, once nothing of it is under way. Resolves early when nothing is to be started any more.
 *
 * @throws RuntimeError, VolumeError, CgroupError or another Error that says why
 */
export async function performPlan(run: PlanRun, parts: LifecycleParts): Promise<void> {
  const state: RunState = { volumes: undefined, made: undefined, found: new Map() };
  for (const action of run.actions) {
    const isStart = action.kind === 'create-sandbox' || action.kind === 'start-container';
    if (isStart && run.signal.aborted) return;
    try {
      await perform(action, run, state, parts);
    } catch (error) {
      if (run.signal.aborted && error === run.signal.reason) return;
      throw error;
    }
  }
}

interface RunState {
  volumes: ReadonlyMap<string, MountedVolume> | undefined;
  /** The sandbox that an earlier action made. */
  made: UsableSandbox | undefined;
  readonly found: Map<string, UsableSandbox>;
}

async function perform(
  action: PodAction,
  run: PlanRun,
  state: RunState,
  parts: LifecycleParts,
): Promise<void> {
  const { runtime } = parts;
  switch (action.kind) {
    case 'stop-containers':
      return stopAll(run, action.stops, parts);
    case 'stop-pod':
      await stopAll(run, action.stops, parts);
      await waitForAll(action.podSandboxIds.map((id) => runtime.stopPodSandbox(id)));
      return;
    case 'create-sandbox': {
      const volumes = await prepareOnce(run, state, parts);
      const request = { pod: run.pod, attempt: action.attempt, volumes };
      state.made = await makeSandbox(request, parts, run.signal);
      return;
    }
    case 'start-container':
      return startOne(action, run, state, parts);
    case 'remove-container':
      return removeContainer(action.containerId, run, parts);
    case 'remove-sandbox':
      if (run.isRemoval) await filesOf(parts).removePodLogs(run.pod, parts.logger);
      return runtime.removePodSandbox(action.podSandboxId);
  }
}

async function stopAll(
  { pod, podIp }: PlanRun,
  stops: Extract<PodAction, { kind: 'stop-containers' }>['stops'],
  parts: LifecycleParts,
): Promise<void> {
  await waitForAll(stops.map((stop) => stopContainer({ pod, stop, podIp }, parts)));
}

async function prepareOnce(
  run: PlanRun,
  state: RunState,
  parts: LifecycleParts,
): Promise<ReadonlyMap<string, MountedVolume>> {
  state.volumes ??= await preparePod(run.pod, run.podIp, parts);
  return state.volumes;
}

async function startOne(
  { name, attempt, podSandboxId }: Extract<PodAction, { kind: 'start-container' }>,
  run: PlanRun,
  state: RunState,
  parts: LifecycleParts,
): Promise<void> {
  const { pod, graceMs, signal, onStart } = run;
  const found = findContainer(pod, name);
  if (found === undefined) return;
  const volumes = await prepareOnce(run, state, parts);
  const sandbox = await sandboxOf(podSandboxId, run, { ...state, volumes }, parts);
  signal.throwIfAborted();
  const target = targetOf(run, name);
  const request = { pod, ...found, attempt, sandbox, volumes, target, graceMs, signal };
  const failure = await startContainer(request, parts);
  onStart({
    name,
    specHash: hashContainer(found.container),
    image: found.container.image ?? '',
    ...(failure === undefined ? {} : { failure }),
    nowMs: parts.clock.nowMs(),
  });
}

/** The container whose processes an ephemeral one asks to see. */
function targetOf({ pod, view }: PlanRun, name: string): StartRequest['target'] {
  const wanted = pod.spec.ephemeralContainers?.find((each) => each.name === name)?.targetContainerName ?? '';
  if (wanted === '') return undefined;
  const instances = view.containers.filter(({ status }) => status.metadata.name === wanted);
  const [newest] = instances.sort((a, b) => b.status.metadata.attempt - a.status.metadata.attempt);
  return { name: wanted, id: newest?.status.id };
}

async function sandboxOf(
  id: string | undefined,
  { pod, view }: PlanRun,
  { made, found, volumes = new Map() }: RunState,
  parts: LifecycleParts,
): Promise<UsableSandbox> {
  if (id === undefined) {
    if (made === undefined) throw new Error('a container has no sandbox to be started in');
    return made;
  }
  const known = found.get(id);
  if (known !== undefined) return known;
  const attempt = view.sandboxes.find((each) => each.id === id)?.metadata.attempt ?? 0;
  const sandbox = await findSandbox(id, { pod, attempt, volumes }, parts);
  found.set(id, sandbox);
  return sandbox;
}

/** The log goes first: once the container is gone, nobody knows the names of its files. */
async function removeContainer(id: string, { pod, view }: PlanRun, parts: LifecycleParts): Promise<void> {
  const status = view.containers.find((each) => each.status.id === id)?.status;
  if (status !== undefined) {
    const { name: containerName, attempt } = status.metadata;
    const owner = { pod, containerName, attempt, containerId: id };
    await filesOf(parts).removeLog(owner, status.logPath, parts.logger);
  }
  await parts.runtime.removeContainer(id);
}
