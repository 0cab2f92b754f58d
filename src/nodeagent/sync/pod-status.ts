import { podQosClass } from '../../apis/core/index.ts';
import type { ContainerStatus, PodCondition, PodIP, PodStatus } from '../../apis/types/core-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';
import { makeConditions, ownConditionTypes } from './conditions.ts';
import { type ContainerStatuses, describeContainers } from './container-statuses.ts';
import { findDeadlineMs, findStartMs } from './deadline.ts';
import { newestFirst } from './instances.ts';
import { findPhase, type PodPhase } from './phase.ts';
import { isTerminal, type PodInput, type PodVerdict, previousStatus } from './pod-input.ts';

/**
 * The status of a pod as release 1.20 writes it. Once a pod has succeeded or failed its status stays as it was then;
 * the containers of one that outlived its deadline are shown as they were at that moment, and those of one that was
 * evicted or refused not at all.
 */
export function podStatus(input: PodInput): PodStatus {
  const previous = previousStatus(input);
  if (isTerminal(previous)) return previous;
  const { pod, verdict } = input;
  if (verdict !== undefined) return verdictStatus(input, verdict);
  const startTime = formatTime(findStartMs(input));
  const described = describeContainers(input);
  const foreign = (pod.status.conditions ?? []).filter(({ type }) => !ownConditionTypes.has(type));
  const parts: Parts = { described, foreign, startTime, qosClass: podQosClass(pod.spec) };
  // What somebody else has ended, as the API server shows it, does not run again.
  const phase = isTerminal(pod.status)
    ? pod.status.phase
    : findPhase(pod.spec, [...described.containers, ...(described.init ?? [])]);
  return hasPassedDeadline(input, phase) ? overdueStatus(input, parts) : activeStatus(input, phase, parts);
}

/** The status of a pod that the agent has decided to end or not to run, unless it had ended before. */
export function verdictStatus(
  input: Pick<PodInput, 'pod' | 'memory' | 'view' | 'nowMs'>,
  { message, reason }: PodVerdict,
): PodStatus {
  const previous = previousStatus(input);
  if (isTerminal(previous)) return previous;
  return { phase: 'Failed', message, reason, startTime: formatTime(findStartMs(input)) };
}

/** What statuses of pods have in common. */
interface Parts {
  readonly described: ContainerStatuses;
  /** Conditions of others. */
  readonly foreign: readonly PodCondition[];
  readonly startTime: string;
  readonly qosClass: string;
}

function overdueStatus(input: PodInput, { described, foreign, startTime, qosClass }: Parts): PodStatus {
  return {
    phase: 'Failed',
    ...(foreign.length === 0 ? {} : { conditions: [...foreign] }),
    message: 'Pod was active on the node longer than the specified deadline',
    reason: 'DeadlineExceeded',
    ...addressesOf(input),
    startTime,
    ...containersOf(described),
    qosClass,
  };
}

function activeStatus(
  input: PodInput,
  phase: PodPhase,
  { described, foreign, startTime, qosClass }: Parts,
): PodStatus {
  const { nowMs, pod, block } = input;
  const probed = applyProbes(input, block === undefined ? described : showBlocked(described));
  const previous = previousStatus(input).conditions ?? [];
  return {
    phase,
    conditions: makeConditions({ spec: pod.spec, phase, ...probed, foreign, previous, nowMs }),
    ...(block === undefined ? {} : { message: block.message, reason: block.reason }),
    ...addressesOnNode(input, addressesOf(input)),
    startTime,
    ...containersOf(probed),
    qosClass,
  };
}

/** Containers of a pod that cannot be run are not being made. */
function showBlocked({ init, containers, ephemeral }: ContainerStatuses): ContainerStatuses {
  const show = (status: ContainerStatus): ContainerStatus =>
    status.state.waiting === undefined
      ? status
      : { ...status, state: { waiting: { ...status.state.waiting, reason: 'Blocked' } } };
  return { init: init?.map(show), containers: containers.map(show), ephemeral };
}

/** Whether a pod has been active for longer than it may, and had not finished by itself before. */
function hasPassedDeadline(input: PodInput, phase: PodPhase): boolean {
  const deadlineMs = findDeadlineMs(input);
  if (deadlineMs === undefined || input.nowMs < deadlineMs) return false;
  const ends = input.view.containers.map(({ status }) => status.finishedAtMs ?? status.createdAtMs);
  return !(isTerminal({ phase }) && ends.every((atMs) => atMs < deadlineMs));
}

type Addresses = Pick<PodStatus, 'podIP' | 'podIPs'>;

/** Addresses of the newest sandbox; without one that is ready, or with none of its own, those that the pod had last. */
function addressesOf(input: PodInput): Addresses {
  const { podIPs } = previousStatus(input);
  if (input.pod.spec.hostNetwork === true) return toAddresses(podIPs ?? []);
  const sandboxes = input.view.sandboxes.map((each) => ({ ...each, attempt: each.metadata.attempt }));
  const [newest] = newestFirst(sandboxes);
  if (newest?.state === 'ready') return toAddresses(newest.ips.map((ip) => ({ ip })));
  if (sandboxes.some(({ state }) => state === 'ready')) return {};
  return toAddresses(podIPs ?? (newest?.ips ?? []).map((ip) => ({ ip })));
}

function toAddresses(podIPs: PodIP[]): Addresses {
  const podIP = podIPs[0]?.ip;
  return podIP === undefined ? {} : { podIP, podIPs };
}

function addressesOnNode({ pod, hostIp }: PodInput, own: Addresses): Addresses & Pick<PodStatus, 'hostIP'> {
  if (hostIp === undefined) return own;
  return { hostIP: hostIp, ...(pod.spec.hostNetwork === true ? toAddresses([{ ip: hostIp }]) : own) };
}

function containersOf({
  init,
  containers,
  ephemeral,
}: ContainerStatuses): Pick<
  PodStatus,
  'initContainerStatuses' | 'containerStatuses' | 'ephemeralContainerStatuses'
> {
  return {
    ...(init === undefined ? {} : { initContainerStatuses: [...init] }),
    containerStatuses: [...containers],
    ...(ephemeral === undefined ? {} : { ephemeralContainerStatuses: [...ephemeral] }),
  };
}

/** Says what is ready and started: init containers by their end, containers by their probes, ephemeral ones never. */
function applyProbes(input: PodInput, { init, containers, ephemeral }: ContainerStatuses): ContainerStatuses {
  const runningIds = new Map(
    input.view.containers
      .filter(({ status }) => status.state === 'running')
      .map(({ status }) => [`${input.runtimeName}://${status.id}`, status.id]),
  );
  return {
    init: init?.map((status) => ({ ...status, ready: status.state.terminated?.exitCode === 0 })),
    containers: containers.map((status) => probeStatus(input, status, runningIds)),
    ephemeral,
  };
}

function probeStatus(
  { probesOf }: PodInput,
  status: ContainerStatus,
  runningIds: ReadonlyMap<string, string>,
): ContainerStatus {
  const id = status.state.running === undefined ? undefined : runningIds.get(status.containerID ?? '');
  if (id === undefined) return { ...status, ready: false, started: false };
  const { isStarted, isReady } = probesOf(id);
  return { ...status, ready: isStarted && isReady, started: isStarted };
}
