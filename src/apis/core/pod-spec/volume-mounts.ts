import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import type { Container, Volume, VolumeDevice, VolumeMount } from '../../types/core-v1.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkDescendingPath, climbsUp } from './local-paths.ts';

/** The valid volumes of a pod by name. */
export type VolumesByName = ReadonlyMap<string, Volume>;

/** Errors of the mounts of one container. Sub-paths are reported at the list, as in release 1.20. */
export function checkVolumeMounts(
  errors: FieldError[],
  container: Container,
  volumes: VolumesByName,
  path: FieldPath,
): void {
  const mounts = container.volumeMounts;
  if (!mounts) return;
  const devices = usedVolumes(container.volumeDevices?.map(({ name, devicePath }) => [name, devicePath]));
  const seen = new Set<string>();
  for (const [position, mount] of mounts.entries()) {
    const at = path.index(position);
    if (mount.name === '') errors.push(required(at.child('name')));
    if (!volumes.has(mount.name)) errors.push(notFoundField(at.child('name'), mount.name));
    if (mount.mountPath === '') errors.push(required(at.child('mountPath')));
    if (seen.has(mount.mountPath)) {
      errors.push(invalidValue(at.child('mountPath'), mount.mountPath, 'must be unique'));
    }
    seen.add(mount.mountPath);
    checkDeviceOverlap(errors, mount, devices, at);
    checkSubPaths(errors, mount, path, at);
    if (mount.mountPropagation !== undefined) {
      checkPropagation(errors, mount.mountPropagation, container, path.child('mountPropagation'));
    }
  }
}

/** Volumes, and where they are. */
interface UsedVolumes {
  readonly names: Pick<ReadonlySet<string>, 'has'>;
  readonly paths: ReadonlySet<string>;
}

/** Of a volume that is there twice release 1.20 knows the last path only. */
function usedVolumes(entries: readonly (readonly [name: string, path: string])[] = []): UsedVolumes {
  const names = new Map(entries);
  return { names, paths: new Set(names.values()) };
}

function checkDeviceOverlap(
  errors: FieldError[],
  mount: VolumeMount,
  devices: UsedVolumes,
  path: FieldPath,
): void {
  if (devices.names.has(mount.name)) {
    errors.push(invalidValue(path.child('name'), mount.name, 'must not already exist in volumeDevices'));
  }
  if (devices.paths.has(mount.mountPath)) {
    const detail = 'must not already exist as a path in volumeDevices';
    errors.push(invalidValue(path.child('mountPath'), mount.mountPath, detail));
  }
}

function checkSubPaths(errors: FieldError[], mount: VolumeMount, listPath: FieldPath, path: FieldPath): void {
  if (mount.subPath) checkDescendingPath(errors, mount.subPath, listPath.child('subPath'));
  if (!mount.subPathExpr) return;
  if (mount.subPath) {
    const detail = 'subPathExpr and subPath are mutually exclusive';
    errors.push(invalidValue(path.child('subPathExpr'), mount.subPathExpr, detail));
  }
  checkDescendingPath(errors, mount.subPathExpr, listPath.child('subPathExpr'));
}

function checkPropagation(errors: FieldError[], mode: string, container: Container, path: FieldPath): void {
  if (!allowed.mountPropagation.includes(mode)) {
    errors.push(notSupported(path, mode, allowed.mountPropagation));
  }
  if (mode === 'Bidirectional' && container.securityContext?.privileged !== true) {
    errors.push(
      forbiddenField(path, 'Bidirectional mount propagation is available only to privileged containers'),
    );
  }
}

/** Errors of the raw block devices of one container. */
export function checkVolumeDevices(
  errors: FieldError[],
  container: Container,
  volumes: VolumesByName,
  path: FieldPath,
): void {
  const mounts = usedVolumes(container.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]));
  const seenNames = new Set<string>();
  const seenPaths = new Set<string>();
  for (const [position, device] of (container.volumeDevices ?? []).entries()) {
    const at = path.index(position);
    checkDeviceName(errors, device.name, volumes, seenNames, at.child('name'));
    checkDevicePath(errors, device.devicePath, seenPaths, at.child('devicePath'));
    checkMountOverlap(errors, device, mounts, at);
    if (device.name !== '') seenNames.add(device.name);
  }
}

function checkDeviceName(
  errors: FieldError[],
  name: string,
  volumes: VolumesByName,
  seen: ReadonlySet<string>,
  path: FieldPath,
): void {
  if (name === '') errors.push(required(path));
  if (seen.has(name)) errors.push(invalidValue(path, name, 'must be unique'));
  const volume = volumes.get(name);
  if (volume === undefined) errors.push(notFoundField(path, name));
  else if (!volume.persistentVolumeClaim) {
    const detail = 'can only use volume source type of PersistentVolumeClaim for block mode';
    errors.push(invalidValue(path, name, detail));
  }
}

function checkDevicePath(errors: FieldError[], value: string, seen: Set<string>, path: FieldPath): void {
  if (value === '') errors.push(required(path));
  if (seen.has(value)) errors.push(invalidValue(path, value, 'must be unique'));
  if (climbsUp(value)) errors.push(invalidValue(path, value, "can not contain backsteps ('..')"));
  else seen.add(value);
}

function checkMountOverlap(
  errors: FieldError[],
  device: VolumeDevice,
  mounts: UsedVolumes,
  path: FieldPath,
): void {
  if (mounts.names.has(device.name)) {
    errors.push(invalidValue(path.child('name'), device.name, 'must not already exist in volumeMounts'));
  }
  if (mounts.paths.has(device.devicePath)) {
    const detail = 'must not already exist as a path in volumeMounts';
    errors.push(invalidValue(path.child('devicePath'), device.devicePath, detail));
  }
}
