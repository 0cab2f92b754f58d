import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RuntimeService } from '../../src/nodeagent/runtime/index.ts';
import type { Containerd } from './containerd.ts';

export interface AgentTracesOptions {
  readonly containerd: Pick<Containerd, 'folder' | 'cgroupParent'>;
  readonly runtime: RuntimeService;
  /** Root folder of the agent. */
  readonly rootFolder: string;
  /** Namespace of the test's pods, which no other pods on the machine have. */
  readonly namespace: string;
}

/** All that pods leave on a node while they are there; empty lists when there is none. */
export interface AgentTraces {
  readonly sandboxes: readonly string[];
  readonly containers: readonly string[];
  readonly cgroups: readonly string[];
  /** Mounts below the agent's root folder. */
  readonly mounts: readonly string[];
  readonly podFolders: readonly string[];
  readonly networkNamespaces: readonly string[];
  readonly addresses: readonly string[];
  readonly logFolders: readonly string[];
  readonly logLinks: readonly string[];
}

const cgroupFolder = '/sys/fs/cgroup';
const networkNamespaces = 'state/io.containerd.grpc.v1.cri/netns';

/** Looks for what is left of pods everywhere that an agent and its runtime put something. */
export async function readTraces(options: AgentTracesOptions): Promise<AgentTraces> {
  const { containerd, runtime, rootFolder, namespace } = options;
  const [sandboxes, containers, mounts, logFolders, logLinks] = await Promise.all([
    runtime.listPodSandboxes(),
    runtime.listContainers(),
    readFile('/proc/self/mounts', 'utf8'),
    namesIn('/var/log/pods'),
    namesIn('/var/log/containers'),
  ]);
  return {
    sandboxes: sandboxes.map(({ id }) => id),
    containers: containers.map(({ id }) => id),
    cgroups: await podGroups(containerd.cgroupParent),
    mounts: mounts.split('\n').flatMap((line) => {
      const path = line.split(' ')[1] ?? '';
      return path.startsWith(`${rootFolder}/`) ? [path] : [];
    }),
    podFolders: await namesIn(join(rootFolder, 'pods')),
    networkNamespaces: await namesIn(join(containerd.folder, networkNamespaces)),
    addresses: await reservedAddresses(join(containerd.folder, 'ipam')),
    logFolders: logFolders.filter((name) => name.startsWith(`${namespace}_`)),
    logLinks: logLinks.filter((name) => name.includes(`_${namespace}_`)),
  };
}

/** One line for each trace. */
export function linesOf(traces: AgentTraces): readonly string[] {
  return Object.entries(traces).flatMap(([kind, all]: [string, readonly string[]]) =>
    all.map((each) => `${kind}: ${each}`),
  );
}

/** The last lines of logs that name one of the sandboxes or containers that are left. */
export function linesAbout(
  { sandboxes, containers }: AgentTraces,
  logs: readonly string[],
): readonly string[] {
  const ids = [...sandboxes, ...containers];
  return logs.flatMap((log) =>
    log
      .split('\n')
      .filter((line) => ids.some((id) => line.includes(id)))
      .slice(-30),
  );
}

/** Removes the logs of pods that a test has left, which lie where those of all agents on the machine do. */
export async function removeLogs(namespace: string): Promise<void> {
  for (const name of await namesIn('/var/log/pods')) {
    if (name.startsWith(`${namespace}_`)) await rm(join('/var/log/pods', name), { recursive: true });
  }
  for (const name of await namesIn('/var/log/containers')) {
    if (name.includes(`_${namespace}_`)) await rm(join('/var/log/containers', name));
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => []);
}

/** Groups of pods and below, in all hierarchies. */
async function podGroups(parent: string): Promise<readonly string[]> {
  const isUnified = existsSync(join(cgroupFolder, 'cgroup.controllers'));
  const hierarchies = isUnified ? [''] : await namesIn(cgroupFolder);
  const found = await Promise.all(
    hierarchies.map(async (hierarchy) => {
      const top = join(cgroupFolder, hierarchy, parent);
      const entries = await readdir(top, { withFileTypes: true, recursive: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  return found.flat().filter((path) => /\/pod[0-9a-f-]+(?:\/|$)/.test(path));
}

/** The bridge's address plug-in keeps a file for each address that is in use. */
async function reservedAddresses(folder: string): Promise<readonly string[]> {
  const networks = await namesIn(folder);
  const names = (await Promise.all(networks.map((network) => namesIn(join(folder, network))))).flat();
  return names.filter((name) => /^\d+\.\d+\.\d+\.\d+$/.test(name));
}
