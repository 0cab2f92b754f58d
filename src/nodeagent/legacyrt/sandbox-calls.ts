import { readFile, writeFile } from 'node:fs/promises';
import {
  isNotFound,
  type PodSandbox,
  type PodSandboxConfig,
  type PodSandboxFilter,
  type PodSandboxStatus,
  type RunPodSandboxOptions,
  RuntimeError,
  type RuntimeService,
} from '../runtime/index.ts';
import { hasLabels } from './container-labels.ts';
import { sandboxName } from './container-names.ts';
import { containerPath, type Engine, inspect, kill, listOwn, orUndefined, remove } from './engine.ts';
import { callFailure } from './engine-failure.ts';
import type { ContainerDetails } from './engine-types.ts';
import type { PodNetwork } from './pod-network.ts';
import { readNamespaces, readSandbox, readSandboxSummary } from './read-sandbox.ts';
import { writeSandbox } from './write-sandbox.ts';

type Calls = Pick<
  RuntimeService,
  'runPodSandbox' | 'stopPodSandbox' | 'removePodSandbox' | 'podSandboxStatus' | 'listPodSandboxes'
>;

/** What the calls share: the engine's API, the network of pods and the image of sandboxes. */
export interface SandboxCallsOptions {
  readonly engine: Engine;
  readonly network: PodNetwork;
  readonly sandboxImage: string;
  readonly pullSandboxImage: () => Promise<unknown>;
  /** Removes a container of a sandbox with all that is kept of it. */
  readonly removeContainer: (containerId: string) => Promise<void>;
}

/** How long a sandbox may take to end by itself. */
const sandboxGraceSeconds = 10;
const nodeResolver = '/etc/resolv.conf';

/** The calls about sandboxes: containers of the engine that hold the namespaces of a pod. */
export class SandboxCalls implements Calls {
  readonly #options: SandboxCallsOptions;
  readonly #engine: Engine;

  constructor(options: SandboxCallsOptions) {
    this.#options = options;
    this.#engine = options.engine;
  }

  async runPodSandbox({ config, runtimeHandler = '' }: RunPodSandboxOptions): Promise<string> {
    const call = 'RunPodSandbox';
    if (runtimeHandler !== '') {
      throw callFailure(call, 'invalid', `RuntimeHandler "${runtimeHandler}" not supported`);
    }
    const id = await this.#create(config);
    try {
      await this.#start(id, config);
    } catch (error) {
      await remove(this.#engine, call, id).catch(() => undefined); // What is left shows in the list of sandboxes, and the caller removes it later.
      if (!(error instanceof RuntimeError)) throw callFailure(call, 'failed', String(error), error);
      throw isNotFound(error) ? callFailure(call, 'failed', error.detail, error) : error;
    }
    return id;
  }

  stopPodSandbox(id: string): Promise<void> {
    return this.#stop('StopPodSandbox', id);
  }

  async removePodSandbox(id: string): Promise<void> {
    const call = 'RemovePodSandbox';
    await this.#stop(call, id);
    const containers = await listOwn(this.#engine, call, { type: 'container', sandboxId: id });
    await Promise.all(containers.map(({ Id }) => this.#options.removeContainer(Id)));
    if (id !== '') await remove(this.#engine, call, id);
  }

  async podSandboxStatus(id: string): Promise<PodSandboxStatus | undefined> {
    const { network } = this.#options;
    const details = await inspect(this.#engine, 'PodSandboxStatus', id);
    const sandbox = details && readSandbox(details, this.#engine.marks);
    if (details === undefined || sandbox === undefined) return undefined;
    const namespaces = readNamespaces(details);
    const isConnected = sandbox.state === 'ready' && namespaces.network !== 'node';
    return { ...sandbox, ips: isConnected ? await network.addresses(details) : [], namespaces };
  }

  async listPodSandboxes({ id, state, labels }: PodSandboxFilter = {}): Promise<readonly PodSandbox[]> {
    const found = await listOwn(this.#engine, 'ListPodSandboxes', { type: 'podsandbox', id });
    return found
      .map((each) => readSandboxSummary(each, this.#engine.marks))
      .filter((each) => each !== undefined)
      .filter((each) => (state === undefined || each.state === state) && hasLabels(each.labels, labels));
  }

  async #create(config: PodSandboxConfig): Promise<string> {
    const { network, sandboxImage, pullSandboxImage } = this.#options;
    const { connection, requestTimeoutMs: timeoutMs, marks, leastOomScore, clock } = this.#engine;
    const call = 'RunPodSandbox';
    const body = await writeSandbox({
      config,
      image: sandboxImage,
      ownLabels: marks.ownLabels,
      networkMode: network.engineMode,
      mapsPorts: network.mapsPorts,
      leastOomScore,
      nowMs: clock.nowMs(),
    });
    const query = { name: sandboxName(marks.prefix, config.metadata) };
    const request = { call, method: 'POST', path: '/containers/create', query, body, timeoutMs } as const;
    const begin = () => connection.ask<{ Id: string }>(request);
    const { Id } = await begin().catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await pullSandboxImage();
      return await begin();
    });
    return Id;
  }

  async #start(id: string, config: PodSandboxConfig): Promise<void> {
    const { connection, requestTimeoutMs: timeoutMs } = this.#engine;
    const call = 'RunPodSandbox';
    await connection.ask({ call, method: 'POST', path: containerPath(id, 'start'), timeoutMs });
    const details = await inspect(this.#engine, call, id);
    if (details === undefined || !details.State.Running) {
      throw callFailure(call, 'failed', 'the sandbox ended at once');
    }
    await writeResolver(details, config);
    if (config.security?.namespaces?.network === 'node') return;
    await this.#options.network.connect({ sandboxId: id, pid: details.State.Pid, config });
  }

  async #stop(call: string, id: string): Promise<void> {
    const { network } = this.#options;
    const { connection, requestTimeoutMs } = this.#engine;
    const details = await inspect(this.#engine, call, id);
    const containers = await listOwn(this.#engine, call, { type: 'container', sandboxId: id });
    const running = containers.filter(({ State }) => State !== 'exited');
    await Promise.all(running.map(({ Id }) => kill(this.#engine, call, Id)));
    if (details === undefined) {
      // A sandbox that another program has removed may still hold an address.
      if (id !== '') await network.disconnect({ sandboxId: id, pid: 0 });
      return;
    }
    if (details.HostConfig.NetworkMode !== 'host') {
      await network.disconnect({ sandboxId: id, pid: details.State.Pid });
    }
    const query = { t: sandboxGraceSeconds };
    const request = { call, method: 'POST', path: containerPath(id, 'stop'), query } as const;
    const timeoutMs = requestTimeoutMs + sandboxGraceSeconds * 1000;
    await orUndefined(connection.ask({ ...request, timeoutMs }));
  }
}

/**
 * Replaces the engine's `resolv.conf`, which leaves out resolvers on loopback addresses: the configuration decides
 * that.
 */
async function writeResolver({ ResolvConfPath }: ContainerDetails, { dns }: PodSandboxConfig): Promise<void> {
  const { servers = [], searches = [], options = [] } = dns ?? {};
  const lines = [
    ...(searches.length === 0 ? [] : [`search ${searches.join(' ')}`]),
    ...servers.map((server) => `nameserver ${server}`),
    ...(options.length === 0 ? [] : [`options ${options.join(' ')}`]),
  ];
  const node = lines.length > 0 ? undefined : await readFile(nodeResolver).catch(() => undefined);
  if (lines.length > 0) await writeFile(ResolvConfPath, `${lines.join('\n')}\n`);
  else if (node !== undefined) await writeFile(ResolvConfPath, node);
}
