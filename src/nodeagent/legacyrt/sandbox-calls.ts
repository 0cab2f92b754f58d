import { readFile, writeFile } from 'node:fs/promises';
import { isNotFound, type PodSandboxConfig, RuntimeError, type RuntimeService } from '../runtime/index.ts';
import { hasLabels } from './container-labels.ts';
import { sandboxName } from './container-names.ts';
import { containerPath, type Engine, inspect, kill, listOwn, orUndefined, remove } from './engine.ts';
import { callFailure } from './engine-failure.ts';
import type { ContainerDetails } from './engine-types.ts';
import type { PodNetwork } from './pod-network.ts';
import { readNamespaces, readSandbox, readSandboxSummary } from './read-sandbox.ts';
import { writeSandbox } from './write-sandbox.ts';

export type SandboxCalls = Pick<
  RuntimeService,
  'runPodSandbox' | 'stopPodSandbox' | 'removePodSandbox' | 'podSandboxStatus' | 'listPodSandboxes'
>;

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
export function createSandboxCalls(options: SandboxCallsOptions): SandboxCalls {
  const { engine, network } = options;
  const { connection, requestTimeoutMs: timeoutMs, marks } = engine;

  async function create(config: PodSandboxConfig): Promise<string> {
    const call = 'RunPodSandbox';
    const body = await writeSandbox({
      config,
      image: options.sandboxImage,
      ownLabels: marks.ownLabels,
      networkMode: network.engineMode,
      mapsPorts: network.mapsPorts,
      leastOomScore: engine.leastOomScore,
      nowMs: engine.clock.nowMs(),
    });
    const query = { name: sandboxName(marks.prefix, config.metadata) };
    const request = { call, method: 'POST', path: '/containers/create', query, body, timeoutMs } as const;
    const begin = () => connection.ask<{ Id: string }>(request);
    const { Id } = await begin().catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await options.pullSandboxImage();
      return await begin();
    });
    return Id;
  }

  async function start(id: string, config: PodSandboxConfig): Promise<void> {
    const call = 'RunPodSandbox';
    await connection.ask({ call, method: 'POST', path: containerPath(id, 'start'), timeoutMs });
    const details = await inspect(engine, call, id);
    if (details === undefined || !details.State.Running)
      throw callFailure(call, 'failed', 'the sandbox ended at once');
    await writeResolver(details, config);
    if (config.security?.namespaces?.network === 'node') return;
    await network.connect({ sandboxId: id, pid: details.State.Pid, config });
  }

  async function stop(call: string, id: string): Promise<void> {
    const details = await inspect(engine, call, id);
    const containers = await listOwn(engine, call, { type: 'container', sandboxId: id });
    await Promise.all(
      containers.filter(({ State }) => State !== 'exited').map(({ Id }) => kill(engine, call, Id)),
    );
    if (details === undefined) {
      // What somebody else removed may still hold an address.
      if (id !== '') await network.disconnect({ sandboxId: id, pid: 0 });
      return;
    }
    if (details.HostConfig.NetworkMode !== 'host') {
      await network.disconnect({ sandboxId: id, pid: details.State.Pid });
    }
    const query = { t: sandboxGraceSeconds };
    const request = { call, method: 'POST', path: containerPath(id, 'stop'), query } as const;
    await orUndefined(connection.ask({ ...request, timeoutMs: timeoutMs + sandboxGraceSeconds * 1000 }));
  }

  return {
    async runPodSandbox({ config, runtimeHandler = '' }) {
      if (runtimeHandler !== '') {
        throw callFailure('RunPodSandbox', 'invalid', `RuntimeHandler "${runtimeHandler}" not supported`);
      }
      const id = await create(config);
      try {
        await start(id, config);
      } catch (error) {
        await remove(engine, 'RunPodSandbox', id).catch(() => undefined); // The caller finds it in the list.
        if (!(error instanceof RuntimeError))
          throw callFailure('RunPodSandbox', 'failed', String(error), error);
        throw isNotFound(error) ? callFailure('RunPodSandbox', 'failed', error.detail, error) : error;
      }
      return id;
    },
    stopPodSandbox: (id) => stop('StopPodSandbox', id),
    async removePodSandbox(id) {
      const call = 'RemovePodSandbox';
      await stop(call, id);
      const containers = await listOwn(engine, call, { type: 'container', sandboxId: id });
      await Promise.all(containers.map(({ Id }) => options.removeContainer(Id)));
      if (id !== '') await remove(engine, call, id);
    },
    async podSandboxStatus(id) {
      const details = await inspect(engine, 'PodSandboxStatus', id);
      const sandbox = details && readSandbox(details, marks);
      if (details === undefined || sandbox === undefined) return undefined;
      const namespaces = readNamespaces(details);
      const isConnected = sandbox.state === 'ready' && namespaces.network !== 'node';
      return { ...sandbox, ips: isConnected ? await network.addresses(details) : [], namespaces };
    },
    async listPodSandboxes({ id, state, labels } = {}) {
      const found = await listOwn(engine, 'ListPodSandboxes', { type: 'podsandbox', id });
      return found
        .map((each) => readSandboxSummary(each, marks))
        .filter((each) => each !== undefined)
        .filter((each) => (state === undefined || each.state === state) && hasLabels(each.labels, labels));
    },
  };
}

/** The engine's own file leaves resolvers of the node out that only the node can reach; the caller decides, not it. */
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
