import { posix } from 'node:path';
import type { Container, VolumeMount } from '../../apis/types/core-v1.ts';
import { quoteGo } from '../../machinery/errors/index.ts';
import type { Device, EnvironmentVariable, Mount, MountPropagation } from '../runtime/index.ts';
import { ContainerConfigError } from './config-error.ts';
import { expandVariables } from './expand-variables.ts';
import { subPathDirectory } from './pod-paths.ts';

/** A volume of a pod that is ready to be used. */
export interface PodVolume {
  /** Where it is mounted on the node; a block device has none. */
  readonly path?: string | undefined;
  /** Link to the device of the node, when the volume is one. */
  readonly devicePath?: string | undefined;
  readonly isReadOnly: boolean;
  /** Whether it still has to get an SELinux label of the container. */
  readonly needsSelinuxLabel: boolean;
}

/** A path below a volume; whoever starts the container makes sure that it is there and leads nowhere else. */
export interface SubPath {
  readonly volumeName: string;
  readonly volumePath: string;
  /** Relative, without `..`; links in it may still lead elsewhere. */
  readonly subPath: string;
  /** Position of the mount in the container. */
  readonly index: number;
  /** Where it is to be mounted; what the container's mount refers to. */
  readonly bindPath: string;
}

/** Where the volumes of a pod are, and what sub-path expressions are expanded with. */
export interface VolumeMountsOptions {
  readonly podDir: string;
  readonly volumes: ReadonlyMap<string, PodVolume>;
  readonly environment: readonly EnvironmentVariable[];
  readonly isSelinuxEnabled: boolean;
}

const propagations = new Map<string, MountPropagation>([
  ['None', 'private'],
  ['HostToContainer', 'host-to-container'],
  ['Bidirectional', 'bidirectional'],
]);

/**
 * Mounts of a container's volumes, in the order of its specification.
 *
 * @throws ContainerConfigError for a volume that is not there, a path that leads outside and an unset variable.
 */
export function volumeMounts(
  container: Container,
  options: VolumeMountsOptions,
): { readonly mounts: Mount[]; readonly subPaths: SubPath[] } {
  const subPaths: SubPath[] = [];
  const labelled = new Set<string>();
  const mounts = (container.volumeMounts ?? []).map((mount, index): Mount => {
    const volume = options.volumes.get(mount.name);
    if (volume?.path === undefined) {
      const what = `volume ${quoteGo(mount.name)} to mount into container ${quoteGo(container.name)}`;
      throw new ContainerConfigError(`cannot find ${what}`);
    }
    const subPath = readSubPath(mount, options.environment);
    const bindPath = subPathDirectory(options.podDir, mount.name, container.name, index);
    if (subPath !== '') {
      subPaths.push({ volumeName: mount.name, volumePath: volume.path, subPath, index, bindPath });
    }
    const needsLabel = volume.needsSelinuxLabel && !labelled.has(mount.name);
    if (needsLabel) labelled.add(mount.name);
    return {
      containerPath: posix.isAbsolute(mount.mountPath) ? mount.mountPath : `/${mount.mountPath}`,
      hostPath: subPath === '' ? volume.path : bindPath,
      isReadOnly: mount.readOnly === true || volume.isReadOnly,
      relabelsSelinux: needsLabel && options.isSelinuxEnabled,
      propagation: readPropagation(mount.mountPropagation),
    };
  });
  return { mounts, subPaths };
}

/**
 * Devices of a container that are volumes.
 *
 * @throws ContainerConfigError for a volume that is not there or no device, and for a relative path.
 */
export function blockDevices(container: Container, volumes: ReadonlyMap<string, PodVolume>): Device[] {
  return (container.volumeDevices ?? []).map(({ name, devicePath }) => {
    if (!posix.isAbsolute(devicePath)) {
      throw new ContainerConfigError(`error DevicePath \`${devicePath}\` must be an absolute path`);
    }
    const volume = volumes.get(name);
    if (volume?.devicePath === undefined) {
      const what = `volume ${quoteGo(name)} to pass into container ${quoteGo(container.name)}`;
      throw new ContainerConfigError(`cannot find ${what}`);
    }
    const permissions = volume.isReadOnly ? 'r' : 'mrw';
    return { containerPath: devicePath, hostPath: volume.devicePath, permissions };
  });
}

function readSubPath(mount: VolumeMount, environment: readonly EnvironmentVariable[]): string {
  const { subPath: plain = '', subPathExpr = '' } = mount;
  const subPath = subPathExpr === '' ? plain : expandAll(subPathExpr, environment);
  if (posix.isAbsolute(subPath)) {
    throw new ContainerConfigError(`error SubPath \`${subPath}\` must not be an absolute path`);
  }
  if (subPath.split('/').includes('..')) {
    throw new ContainerConfigError(`unable to provision SubPath \`${subPath}\`: must not contain '..'`);
  }
  return subPath;
}

/** A reference without a value would make one path of what are two. */
function expandAll(text: string, environment: readonly EnvironmentVariable[]): string {
  const values = new Map(environment.map(({ name, value }) => [name, value]));
  const missing = new Set<string>();
  const expanded = expandVariables(text, (name) => {
    const value = values.get(name) ?? '';
    if (value === '') missing.add(name);
    return value;
  });
  if (missing.size === 0) return expanded;
  throw new ContainerConfigError(`missing value for ${[...missing].sort().join(', ')}`);
}

function readPropagation(text = 'None'): MountPropagation {
  const propagation = propagations.get(text);
  if (propagation !== undefined) return propagation;
  throw new ContainerConfigError(`invalid MountPropagation mode: ${quoteGo(text)}`);
}
