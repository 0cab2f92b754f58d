import type {
  ContainerState as ApiState,
  ContainerStatus as ApiStatus,
  Container,
} from '../../apis/types/core-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { ContainerStatus as RuntimeStatus } from '../runtime/index.ts';
import { newestFirst } from './instances.ts';
import { type PodInput, previousStatus } from './pod-input.ts';
import { showFailure } from './start-failures.ts';

/** Bytes that the messages of all ended containers of a pod share. */
const messagesMaxBytes = 12 * 1024;

type Instances = ReadonlyMap<string, readonly RuntimeStatus[]>;

/** Statuses of a pod's containers, before probes have their say: nothing is ready, and nothing said to be started. */
export interface ContainerStatuses {
  /** In the order in which they run; undefined when the pod has none. */
  readonly init: readonly ApiStatus[] | undefined;
  /** By name. */
  readonly containers: readonly ApiStatus[];
  /** By name; undefined when the pod has none, or none are run. */
  readonly ephemeral: readonly ApiStatus[] | undefined;
}

type ContainerKind = 'init' | 'usual' | 'ephemeral';

/** What the runtime and failed starts say of the containers of a pod, as its status shows it. */
export function describeContainers(input: PodInput): ContainerStatuses {
  const { initContainers = [], containers, ephemeralContainers = [] } = input.pod.spec;
  const previous = previousStatus(input);
  const instances = sortInstances(input);
  const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating';
  const count = initContainers.length + (containers ?? []).length;
  const describe = (
    list: readonly Container[],
    statuses: readonly ApiStatus[] | undefined,
    kind: ContainerKind,
  ) => {
    const old = new Map((statuses ?? []).map((status) => [status.name, status]));
    return list.map((container) => {
      const from = {
        instances: instances.get(container.name) ?? [],
        old: old.get(container.name),
        reason,
        kind,
      };
      return cutMessages(describeContainer(input, container, from), Math.floor(messagesMaxBytes / count));
    });
  };
  return {
    init:
      initContainers.length === 0
        ? undefined
        : describe(initContainers, previous.initContainerStatuses, 'init'),
    containers: describe(containers ?? [], previous.containerStatuses, 'usual').toSorted(byName),
    ephemeral:
      ephemeralContainers.length === 0 || input.runsEphemeral !== true
        ? undefined
        : describe(ephemeralContainers, previous.ephemeralContainerStatuses, 'ephemeral').toSorted(byName),
  };
}

const byName = (a: ApiStatus, b: ApiStatus): number => (a.name < b.name ? -1 : 1);

/** Instances by name, newest first. */
function sortInstances({ view }: PodInput): Instances {
  const all = view.containers.map(({ status }) => status);
  const groups = Map.groupBy(all, ({ metadata }) => metadata.name);
  return new Map([...groups].map(([name, group]) => [name, sortGroup(group)]));
}

function sortGroup(group: readonly RuntimeStatus[]): readonly RuntimeStatus[] {
  const keyed = group.map((status) => {
    return { attempt: status.metadata.attempt, createdAtMs: status.createdAtMs, status };
  });
  return newestFirst(keyed).map(({ status }) => status);
}

/** Where the status of one container comes from. */
interface Origin {
  readonly instances: readonly RuntimeStatus[];
  readonly old: ApiStatus | undefined;
  /** Why a container waits that nothing else is known of. */
  readonly reason: string;
  readonly kind: ContainerKind;
}

function describeContainer(input: PodInput, container: Container, origin: Origin): ApiStatus {
  const { kind } = origin;
  const [newest, previous] = begunInstances(input, container, origin);
  const status =
    newest === undefined
      ? describeMissing(input, container, origin)
      : describeInstance(input, newest, origin);
  if (newest !== undefined && previous !== undefined) {
    status.lastState = stateOf(input, previous, origin.reason);
  }
  if (kind !== 'usual' && newest === undefined && status.state.terminated !== undefined) return status;
  const failure = input.memory.failures.get(container.name);
  if (failure === undefined || !isStartedAgain(input, newest, kind)) return status;
  const lastState = status.state.terminated === undefined ? status.lastState : status.state;
  return { ...status, state: { waiting: showFailure(failure, container, input.nowMs) }, lastState };
}

/**
 * A container runs for its users only once its postStart hook has completed (documentation of container lifecycle hooks):
 * until then the instance that is being started does not show. One that is being stopped before shows for as long as it runs.
 */
function begunInstances(
  { starting }: PodInput,
  { name }: Container,
  { instances }: Origin,
): readonly RuntimeStatus[] {
  const [newest] = instances;
  const attempt = starting.get(name);
  const isHidden = attempt !== undefined && newest?.state === 'running' && newest.metadata.attempt >= attempt;
  return isHidden ? instances.slice(1) : instances;
}

/** A container that the runtime has no instance of: as it was, if it ended, else waiting. */
function describeMissing(
  { pod }: PodInput,
  { name, image }: Container,
  { old, reason, kind }: Origin,
): ApiStatus {
  if (old?.state.terminated !== undefined) return { ...old, ready: false };
  if (kind === 'ephemeral' && old?.state.running !== undefined) {
    return { ...old, state: { terminated: { ...lost, message: forgotten } }, ready: false }; // never started again
  }
  const status: ApiStatus = {
    name,
    state: { waiting: { reason } },
    lastState: old?.lastState ?? {},
    ready: false,
    restartCount: old?.restartCount ?? 0,
    image: image ?? '',
    imageID: '',
  };
  const wasRunning = old?.state.running !== undefined && old.lastState.terminated === undefined;
  if (wasRunning && typeof pod.metadata.deletionTimestamp === 'string')
    status.lastState = { terminated: lost };
  return status;
}

const lost = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was deleted.  The container used to be Running',
  startedAt: null,
  finishedAt: null,
} as const;

const forgotten = 'The container could not be located.  The container used to be Running';

function describeInstance(input: PodInput, instance: RuntimeStatus, { old, reason }: Origin): ApiStatus {
  const { id, metadata, image, imageRef } = instance;
  const state = stateOf(input, instance, reason);
  const status: ApiStatus = {
    name: metadata.name,
    state,
    lastState: {},
    ready: false,
    restartCount: metadata.attempt,
    image,
    imageID: imageRef,
    containerID: `${input.runtimeName}://${id}`,
  };
  // An instance that was never started says nothing yet; what came before it still holds.
  if (instance.state === 'created' && old !== undefined) status.lastState = old.lastState;
  return status;
}

/**
 * The state of one instance. One that was created and not started waits: unlike in release 1.20 it is never taken for
 * one that has ended well, which an agent that is killed between the two would make of it.
 */
function stateOf({ runtimeName }: PodInput, instance: RuntimeStatus, reason: string): ApiState {
  const { id, state, startedAtMs, finishedAtMs, exitCode, message } = instance;
  switch (state) {
    case 'running':
      return { running: { startedAt: timeOf(startedAtMs) } };
    case 'created':
      return { waiting: { reason } };
    case 'unknown':
      return { waiting: {} };
    case 'exited':
      return {
        terminated: {
          exitCode,
          ...(instance.reason === '' ? {} : { reason: instance.reason }),
          ...(message === '' ? {} : { message }),
          // Release 1.20 shows the beginning of all time for one that never started.
          startedAt: timeOf(startedAtMs ?? 0),
          finishedAt: timeOf(finishedAtMs ?? 0),
          containerID: `${runtimeName}://${id}`,
        },
      };
  }
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : formatTime(ms);
}

/** Whether the next plan starts a container whose newest instance is this one. */
function isStartedAgain({ pod }: PodInput, newest: RuntimeStatus | undefined, kind: ContainerKind): boolean {
  if (typeof pod.metadata.deletionTimestamp === 'string') return false;
  if (newest === undefined || newest.state === 'created' || newest.state === 'unknown') {
    return kind !== 'ephemeral' || newest?.state !== 'unknown';
  }
  if (newest.state === 'running' || kind === 'ephemeral') return false;
  if (kind === 'init' && newest.exitCode === 0) return false;
  if (pod.spec.restartPolicy === 'Never') return false;
  return pod.spec.restartPolicy !== 'OnFailure' || newest.exitCode !== 0;
}

/** Cuts the messages of ended instances, so that statuses stay small. */
function cutMessages(status: ApiStatus, maxBytes: number): ApiStatus {
  return {
    ...status,
    state: cutMessage(status.state, maxBytes),
    lastState: cutMessage(status.lastState, maxBytes),
  };
}

function cutMessage(state: ApiState, maxBytes: number): ApiState {
  const message = state.terminated?.message;
  if (state.terminated === undefined || message === undefined || message.length * 3 <= maxBytes) return state;
  const bytes = new TextEncoder().encode(message);
  if (bytes.length <= maxBytes) return state;
  let end = maxBytes;
  // Not within a character.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return { terminated: { ...state.terminated, message: new TextDecoder().decode(bytes.subarray(0, end)) } };
}
