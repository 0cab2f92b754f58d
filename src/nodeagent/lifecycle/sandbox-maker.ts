import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { buildSandboxConfig, type NodeSettings } from '../container-config/index.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentObjects } from '../objects/index.ts';
import { formatRuntimeFailure, type PodSandboxConfig, type RuntimeService } from '../runtime/index.ts';
import type { MountedVolume } from '../volumes/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodFiles } from './pod-files.ts';
import { recordNotices } from './record-notices.ts';

/** What making sandboxes takes. */
export interface SandboxMakerOptions {
  readonly runtime: Pick<RuntimeService, 'runPodSandbox' | 'podSandboxStatus'>;
  readonly files: Pick<PodFiles, 'makeLogFolder'>;
  readonly settings: () => NodeSettings;
  readonly nodeInfo: () => NodeInfo;
  readonly hasApiServer: boolean;
  /** Undefined without an API server. */
  readonly objects: Pick<AgentObjects, 'runtimeClass'> | undefined;
  readonly dialect: Dialect;
  readonly events: EventRecorder;
}

/** A sandbox that containers can be put in. */
export interface UsableSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  /** Of the pod. On the node's network it has that of the node, and none where there is no API server to have told it. */
  readonly ips: readonly string[];
}

/** What the event of release 1.20 says. */
const changedText = 'Pod sandbox changed, it will be killed and re-created.';

/** What the configuration of a sandbox is made from. */
export interface SandboxRequest {
  readonly pod: Pod;
  readonly attempt: number;
  readonly volumes: ReadonlyMap<string, MountedVolume>;
}

/** Makes the sandboxes of pods, and reads again what it made. */
export class SandboxMaker {
  readonly #options: SandboxMakerOptions;

  constructor(options: SandboxMakerOptions) {
    this.#options = options;
  }

  /**
   * Makes a sandbox for a pod, unless the signal has aborted. Failures become events as well, and that it takes the place
   * of another one.
   *
   * @throws Error when there is none afterwards, or the runtime did not answer
   */
  async make(request: SandboxRequest, signal: AbortSignal): Promise<UsableSandbox> {
    const { pod, attempt } = request;
    const { runtime, files, nodeInfo } = this.#options;
    if (attempt > 0) this.#record(pod, 'Normal', 'SandboxChanged', changedText);
    const { networkProblem } = nodeInfo();
    if (networkProblem !== undefined && pod.spec.hostNetwork !== true) {
      this.#warn(pod, 'NetworkNotReady', `network is not ready: ${networkProblem}`);
      throw new Error(`network is not ready: ${networkProblem}`);
    }
    const tell = (reason: string, what: string) => (error: unknown) => {
      if (!(signal.aborted && error === signal.reason))
        this.#warn(pod, reason, `${what}: ${formatRuntimeFailure(error)}`);
      throw error;
    };
    const run = async (): Promise<Omit<UsableSandbox, 'ips'>> => {
      const runtimeHandler = await this.#findHandler(pod);
      const config = this.#plan(request);
      await files.makeLogFolder(pod);
      signal.throwIfAborted();
      return { id: await runtime.runPodSandbox({ config, runtimeHandler }), config };
    };
    const made = await run().catch(tell('FailedCreatePodSandBox', 'Failed to create pod sandbox'));
    const ips = await this.#readAddresses(made.id, pod).catch(
      tell('FailedPodSandBoxStatus', 'Unable to get pod sandbox status'),
    );
    return { ...made, ips };
  }

  /**
   * What a sandbox that is there was made from, and its addresses.
   *
   * @throws RuntimeError or ContainerConfigError
   */
  async find(id: string, request: SandboxRequest): Promise<UsableSandbox> {
    return { id, config: this.#plan(request), ips: await this.#readAddresses(id, request.pod) };
  }

  /** What the runtime calls what the pod asks for; undefined is its usual one. */
  async #findHandler(pod: Pod): Promise<string | undefined> {
    const { objects, dialect } = this.#options;
    const name = pod.spec.runtimeClassName ?? '';
    if (name === '') return undefined;
    if (objects === undefined) {
      this.#warn(pod, 'RuntimeClassIgnored', `no API server tells the handler of RuntimeClass ${name}`);
      return undefined;
    }
    const found = await objects.runtimeClass(name).catch((error: unknown) => {
      throw new Error(`Failed to lookup RuntimeClass ${name}: ${errorText(error)}`, { cause: error });
    });
    if (found === undefined) throw new Error(`runtimeclass.${dialect.group('node')} "${name}" not found`);
    return found.handler;
  }

  #plan({ pod, attempt, volumes }: SandboxRequest): PodSandboxConfig {
    const { settings, events } = this.#options;
    const node = settings();
    const { config, notices } = buildSandboxConfig({ pod, attempt, node, extraGroups: groupsOf(volumes) });
    recordNotices(pod, notices, events);
    return config;
  }

  async #readAddresses(id: string, { spec }: Pod): Promise<readonly string[]> {
    const { runtime, nodeInfo, hasApiServer } = this.#options;
    if (spec.hostNetwork === true) return hasApiServer ? nodeInfo().hostIps.slice(0, 1) : [];
    return (await runtime.podSandboxStatus(id))?.ips ?? [];
  }

  #warn(pod: Pod, reason: string, message: string): void {
    this.#record(pod, 'Warning', reason, message);
  }

  #record(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#options.events.record({ about: { kind: 'pod', pod }, type, reason, message });
  }
}

/** Supplementary groups that volumes ask for. */
export function groupsOf(volumes: ReadonlyMap<string, MountedVolume>): readonly number[] {
  return [...volumes.values()].flatMap(({ groupId }) => (groupId === undefined ? [] : [groupId]));
}
