import type { PodSandboxConfig, PortMapping } from '../runtime/index.ts';
import { type OwnLabels, writeLabels } from './container-labels.ts';
import { writeSandboxNamespaces, writeSecurityOptions, writeUser } from './security-options.ts';

/** The sandbox holds the pod's namespaces: it is killed last when memory runs out (release 1.20's score). */
const sandboxOomScore = -998;
const sharedMemoryBytes = 64 * 1024 * 1024;
/** As little processor time as there can be. */
const leastShares = 2;

/** What the engine's form of a sandbox is made from; `leastOomScore` is the lowest score that may be set. */
export interface WriteSandboxOptions {
  readonly config: PodSandboxConfig;
  readonly image: string;
  readonly ownLabels: OwnLabels;
  /** Network of a pod that has one of its own, in the engine's terms. */
  readonly networkMode: string;
  /** Whether the engine itself maps ports. */
  readonly mapsPorts: boolean;
  readonly leastOomScore: number;
  readonly nowMs: number;
}

/** Body of the request that makes a sandbox. */
export async function writeSandbox(options: WriteSandboxOptions): Promise<unknown> {
  const { config, image, ownLabels, nowMs } = options;
  const { security = {}, hostname = '', sysctls = {} } = config;
  const isOnNode = security.namespaces?.network === 'node';
  const own = { [ownLabels.type]: 'podsandbox', [ownLabels.createdAt]: `${nowMs}` };
  const ports = isOnNode || !options.mapsPorts ? undefined : writePorts(config.portMappings ?? []);
  return {
    Image: image,
    Hostname: isOnNode ? '' : hostname,
    User: writeUser('RunPodSandbox', security),
    Labels: writeLabels(config.labels, config.annotations, own),
    Healthcheck: { Test: ['NONE'] },
    ExposedPorts: ports?.exposed,
    HostConfig: {
      NetworkMode: isOnNode ? 'host' : options.networkMode,
      UTSMode: isOnNode ? 'host' : '',
      ...writeSandboxNamespaces(security.namespaces),
      PortBindings: ports?.bindings,
      CgroupParent: config.cgroupParent ?? '',
      CpuShares: leastShares,
      OomScoreAdj: Math.max(sandboxOomScore, options.leastOomScore),
      ShmSize: sharedMemoryBytes,
      Sysctls: sysctls,
      Privileged: security.isPrivileged ?? false,
      ReadonlyRootfs: security.isRootReadOnly ?? false,
      SecurityOpt: await writeSecurityOptions('RunPodSandbox', security),
      GroupAdd: (security.supplementalGroups ?? []).map(String),
      LogConfig: { Type: 'none' },
    },
  };
}

function writePorts(mappings: readonly PortMapping[]) {
  const exposed: Record<string, object> = {};
  const bindings: Record<string, { HostPort: string; HostIp: string }[]> = {};
  for (const { protocol, containerPort, hostPort, hostIp = '' } of mappings) {
    if (hostPort === 0) continue;
    const port = `${containerPort}/${protocol.toLowerCase()}`;
    exposed[port] = {};
    bindings[port] ??= [];
    bindings[port].push({ HostPort: `${hostPort}`, HostIp: hostIp });
  }
  return { exposed, bindings };
}
