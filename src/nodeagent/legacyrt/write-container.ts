import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreateContainerOptions, Mount, MountPropagation } from '../runtime/index.ts';
import { type OwnLabels, writeLabels } from './container-labels.ts';
import { writeResources } from './container-resources.ts';
import { callFailure } from './engine-failure.ts';
import { writeContainerNamespaces, writeSecurityOptions, writeUser } from './security-options.ts';

const call = 'CreateContainer';

/** What `MountPropagation` is to the kernel. */
export const propagations: Readonly<Record<MountPropagation, string>> = {
  private: 'rprivate',
  'host-to-container': 'rslave',
  bidirectional: 'rshared',
};

/** What the engine's form of a container is made from; `leastOomScore` is the lowest score that may be set. */
export interface WriteContainerOptions {
  readonly create: CreateContainerOptions;
  readonly ownLabels: OwnLabels;
  readonly leastOomScore: number;
  readonly nowMs: number;
}

/** Body of the request that makes a container. Makes folders of the node that are to be mounted and are not there. */
export async function writeContainer(options: WriteContainerOptions): Promise<unknown> {
  const { create, ownLabels, leastOomScore, nowMs } = options;
  const { podSandboxId, config, sandboxConfig } = create;
  const { security = {}, resources = {}, mounts = [] } = config;
  const isPrivileged = security.isPrivileged ?? false;
  if (isPrivileged && sandboxConfig.security?.isPrivileged !== true) {
    throw callFailure(call, 'invalid', 'no privileged container allowed in sandbox');
  }
  const relabeled = mounts.filter(({ relabelsSelinux }) => relabelsSelinux);
  await Promise.all(mounts.map(makeSource));
  const own = {
    [ownLabels.type]: 'container',
    [ownLabels.sandboxId]: podSandboxId,
    [ownLabels.createdAt]: `${nowMs}`,
    ...(config.logPath === undefined || config.logPath === ''
      ? {}
      : { [ownLabels.logPath]: join(sandboxConfig.logDirectory ?? '/', config.logPath) }),
  };
  return {
    Image: config.image,
    Entrypoint: orNothing(config.command),
    Cmd: orNothing(config.args),
    Env: (config.environment ?? []).map(({ name, value }) => `${name}=${value}`),
    WorkingDir: config.workingDirectory ?? '',
    User: writeUser(call, security),
    Labels: writeLabels(config.labels, config.annotations, own),
    OpenStdin: config.stdin ?? false,
    StdinOnce: config.stdinOnce ?? false,
    Tty: config.tty ?? false,
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      ...writeContainerNamespaces(podSandboxId, security.namespaces),
      ...writeResources(resources),
      OomScoreAdj: Math.max(resources.oomScoreAdj ?? 0, leastOomScore),
      CgroupParent: sandboxConfig.cgroupParent ?? '',
      Binds: relabeled.map(writeBind),
      Mounts: mounts.filter((mount) => !relabeled.includes(mount)).map(writeMount),
      Devices: (config.devices ?? []).map((device) => ({
        PathOnHost: device.hostPath,
        PathInContainer: device.containerPath,
        CgroupPermissions: device.permissions,
      })),
      Privileged: isPrivileged,
      ReadonlyRootfs: security.isRootReadOnly ?? false,
      CapAdd: isPrivileged ? [] : (security.addCapabilities ?? []),
      CapDrop: isPrivileged ? [] : (security.dropCapabilities ?? []),
      GroupAdd: (security.supplementalGroups ?? []).map(String),
      SecurityOpt: await writeSecurityOptions(call, security),
      // Null would be the engine's own choice.
      MaskedPaths: security.maskedPaths ?? [],
      ReadonlyPaths: security.readOnlyPaths ?? [],
      // The engine's log file is only a buffer: its contents are copied to the pod's log, so its size is limited.
      LogConfig: { Type: 'json-file', Config: { 'max-size': '20m', 'max-file': '2' } },
    },
  };
}

/** An empty list would replace the image's. */
const orNothing = (list: readonly string[] | undefined): readonly string[] | undefined =>
  list === undefined || list.length === 0 ? undefined : list;

/** Creates a missing source: the engine refuses to mount it otherwise. */
async function makeSource({ hostPath }: Mount): Promise<void> {
  try {
    await mkdir(hostPath, { recursive: true });
  } catch {
    // Usually the path is a file. The engine reports any other problem.
  }
}

function writeMount({ hostPath, containerPath, isReadOnly, propagation }: Mount) {
  const BindOptions = { Propagation: propagations[propagation] };
  return { Type: 'bind', Source: hostPath, Target: containerPath, ReadOnly: isReadOnly, BindOptions };
}

/** The only form of a mount that can ask for a new SELinux label. */
function writeBind({ hostPath, containerPath, isReadOnly, propagation }: Mount): string {
  const options = ['Z', propagations[propagation], ...(isReadOnly ? ['ro'] : [])];
  return `${hostPath}:${containerPath}:${options.join(',')}`;
}
