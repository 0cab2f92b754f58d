import { posix } from 'node:path';
import type { Container, Pod, Service } from '../../apis/types/core-v1.ts';
import type { ContainerConfig, Device, EnvironmentVariable, Mount } from '../runtime/index.ts';
import type { ConfigSources } from './config-sources.ts';
import { containerResources } from './container-resources.ts';
import { buildEnvironment } from './environment.ts';
import { expandCommand } from './expand-command.ts';
import { hostsFile } from './hosts-file.ts';
import type { NodeSettings } from './node-settings.ts';
import type { ConfigNotice } from './notice.ts';
import type { PodAddresses } from './pod-field.ts';
import { podHostname } from './pod-hostname.ts';
import { containerLogPath, hostsFilePath, podContainerDirectory, podDirectory } from './pod-paths.ts';
import { containerAnnotations, containerLabels } from './runtime-labels.ts';
import { containerSecurity, type ImageUser } from './security-context.ts';
import { blockDevices, type PodVolume, type SubPath, volumeMounts } from './volume-mounts.ts';

/** What device plugins add to a container. */
export interface DeviceAdditions {
  readonly environment?: readonly EnvironmentVariable[];
  readonly mounts?: readonly Mount[];
  readonly devices?: readonly Device[];
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Everything that the configuration of one container depends on; the result depends on nothing else. */
export interface ContainerConfigInputs extends PodAddresses {
  /** Defaults set and valid. */
  readonly pod: Pod;
  /** One of the pod's, of any kind. */
  readonly container: Container;
  /** Equal for equal specifications, as plans compare it. */
  readonly specHash: string;
  /** Instances that the container had before. */
  readonly attempt: number;
  /** Id of the image, which is present. */
  readonly image: string;
  readonly imageUser: ImageUser;
  readonly node: NodeSettings;
  /** Mounted volumes by their names in the pod. */
  readonly volumes: ReadonlyMap<string, PodVolume>;
  /** Of all namespaces; empty when the agent has no API server. */
  readonly services: readonly Service[];
  /** Undefined when the agent has no API server. */
  readonly sources: ConfigSources | undefined;
  /** What pods may use on the node. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** Name of the file for what this instance says at its end; unique in the container's folder. */
  readonly terminationLogName: string;
  /** Text of the node's `/etc/hosts`, for pods on its network. */
  readonly nodeHostsFile: string;
  readonly extraGroups?: readonly number[];
  /** Processors that the container may use; all when left out. */
  readonly cpusetCpus?: string | undefined;
  readonly additions?: DeviceAdditions;
  /** Container whose processes an ephemeral one sees. */
  readonly targetContainerId?: string | undefined;
}

/** A file that must be there before the container is made. */
export interface NeededFile {
  readonly path: string;
  readonly content: string;
  /** Mode bits, whatever the process's mask. */
  readonly mode: number;
}

/** A container's config, and what must be done on the node before it is given to the runtime. */
export interface ContainerPlan {
  readonly config: ContainerConfig;
  readonly files: readonly NeededFile[];
  readonly subPaths: readonly SubPath[];
  readonly notices: readonly ConfigNotice[];
}

const hostsPath = '/etc/hosts';

/**
 * All that a container is made from.
 *
 * @throws ContainerConfigError when the pod asks for what cannot be: the container then waits with its message.
 */
export function buildContainerConfig(inputs: ContainerConfigInputs): ContainerPlan {
  const { pod, container, node, attempt, additions = {} } = inputs;
  const { dialect, masterServiceNamespace } = node;
  const devices = [...(additions.devices ?? []), ...blockDevices(container, inputs.volumes)];
  const { variables, notices } = buildEnvironment({ ...inputs, dialect, masterServiceNamespace });
  const environment = [...(additions.environment ?? []), ...variables];
  const { mounts, files, subPaths } = planMounts(inputs, environment);
  const config: ContainerConfig = {
    metadata: { name: container.name, attempt },
    image: inputs.image,
    ...expandCommand(container, environment),
    workingDirectory: container.workingDir,
    environment,
    mounts,
    devices,
    labels: containerLabels(pod, container.name, dialect),
    annotations: {
      ...additions.annotations,
      ...containerAnnotations(pod, container, { specHash: inputs.specHash, attempt, dialect }),
    },
    logPath: containerLogPath(container.name, attempt),
    stdin: container.stdin,
    stdinOnce: container.stdinOnce,
    tty: container.tty,
    resources: containerResources({ ...node, pod, container, cpusetCpus: inputs.cpusetCpus }),
    security: containerSecurity(pod, container, {
      imageUser: inputs.imageUser,
      extraGroups: inputs.extraGroups ?? [],
      targetContainerId: inputs.targetContainerId,
      seccompProfileRoot: node.seccompProfileRoot,
      dialect,
    }),
  };
  return { config, files, subPaths, notices };
}

function planMounts(
  inputs: ContainerConfigInputs,
  environment: readonly EnvironmentVariable[],
): { mounts: Mount[]; files: NeededFile[]; subPaths: SubPath[] } {
  const { pod, container, node, volumes, podIps } = inputs;
  const { isSelinuxEnabled, dialect } = node;
  const podDir = podDirectory(node.rootDirectory, pod.metadata.uid ?? '');
  const own = volumeMounts(container, { podDir, volumes, environment, isSelinuxEnabled });
  const mounts = [...(inputs.additions?.mounts ?? []), ...own.mounts];
  const files: NeededFile[] = [];
  const mountFile = (file: NeededFile, containerPath: string): void => {
    files.push(file);
    mounts.push(privateMount(file.path, containerPath, isSelinuxEnabled));
  };
  // A container that mounts the path itself keeps its own.
  if (podIps.length > 0 && !(container.volumeMounts ?? []).some(({ mountPath }) => mountPath === hostsPath)) {
    const names = podHostname(pod, node.clusterDomain);
    const content = hostsFile(pod, { podIps, names, nodeHostsFile: inputs.nodeHostsFile, dialect });
    mountFile({ path: hostsFilePath(podDir), content, mode: 0o644 }, hostsPath);
  }
  const { terminationMessagePath = '' } = container;
  if (terminationMessagePath !== '') {
    const path = posix.join(podContainerDirectory(podDir, container.name), inputs.terminationLogName);
    // Any user of the container may write it.
    mountFile({ path, content: '', mode: 0o666 }, terminationMessagePath);
  }
  return { mounts, files, subPaths: own.subPaths };
}

const privateMount = (hostPath: string, containerPath: string, relabelsSelinux: boolean): Mount => ({
  containerPath,
  hostPath,
  isReadOnly: false,
  relabelsSelinux,
  propagation: 'private',
});
