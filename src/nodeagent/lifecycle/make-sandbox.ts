import type { Pod } from '../../apis/types/core-v1.ts';
import { buildSandboxConfig } from '../container-config/index.ts';
import { formatRuntimeFailure, type PodSandboxConfig } from '../runtime/index.ts';
import type { MountedVolume } from '../volumes/index.ts';
import { filesOf, type LifecycleParts } from './parts.ts';
import { recordNotices } from './record-notices.ts';

/** A sandbox that containers can be put in. */
export interface UsableSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  /** Of the pod; those of the node when it is on its network. */
  readonly ips: readonly string[];
}

/** What the configuration of a sandbox is made from. */
export interface SandboxRequest {
  readonly pod: Pod;
  readonly attempt: number;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
}

/**
 * Makes a sandbox for a pod, unless the signal has aborted. Failures become events as well.
 *
 * @throws Error when there is none afterwards, or nobody knows
 */
export async function makeSandbox(
  request: SandboxRequest,
  parts: LifecycleParts,
  signal: AbortSignal,
): Promise<UsableSandbox> {
  const { pod } = request;
  const { events, runtime, surroundings } = parts;
  const warn = (reason: string, message: string): void =>
    events.record({ about: { kind: 'pod', pod }, type: 'Warning', reason, message });
  const { networkProblem } = surroundings();
  if (networkProblem !== undefined && pod.spec.hostNetwork !== true) {
    warn('NetworkNotReady', `network is not ready: ${networkProblem}`);
    throw new Error(`network is not ready: ${networkProblem}`);
  }
  try {
    const { config, notices } = planSandbox(request, parts);
    recordNotices(pod, notices, events);
    await filesOf(parts).makeLogFolder(pod);
    signal.throwIfAborted();
    const id = await runtime.runPodSandbox({ config, runtimeHandler: pod.spec.runtimeClassName });
    return { id, config, ips: await readAddresses(id, pod, parts) };
  } catch (error) {
    if (signal.aborted && error === signal.reason) throw error;
    warn('FailedCreatePodSandBox', `Failed to create pod sandbox: ${formatRuntimeFailure(error)}`);
    throw error;
  }
}

/**
 * What a sandbox that is there was made from, and where it is reached.
 *
 * @throws RuntimeError or ContainerConfigError
 */
export async function findSandbox(
  id: string,
  request: SandboxRequest,
  parts: LifecycleParts,
): Promise<UsableSandbox> {
  const { config, notices } = planSandbox(request, parts);
  recordNotices(request.pod, notices, parts.events);
  return { id, config, ips: await readAddresses(id, request.pod, parts) };
}

function planSandbox({ pod, attempt, volumes }: SandboxRequest, { settings }: LifecycleParts) {
  return buildSandboxConfig({ pod, attempt, node: settings(), extraGroups: groupsOf(volumes) });
}

async function readAddresses(
  id: string,
  { spec }: Pod,
  { runtime, surroundings }: LifecycleParts,
): Promise<readonly string[]> {
  if (spec.hostNetwork === true) return surroundings().hostIps.slice(0, 1);
  return (await runtime.podSandboxStatus(id))?.ips ?? [];
}

/** Groups that volumes ask for. */
export function groupsOf(volumes: ReadonlyMap<string, MountedVolume>): readonly number[] {
  return [...volumes.values()].flatMap(({ groupId }) => (groupId === undefined ? [] : [groupId]));
}
