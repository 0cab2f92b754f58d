import { storageClassName } from '../../../apis/core/index.ts';
import type { PersistentVolumeClaim } from '../../../apis/types/core-v1.ts';
import type { StorageClass } from '../../../apis/types/storage-v1.ts';
import { compareQuantities, parseQuantity } from '../../../machinery/values/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { refuse } from '../refusal.ts';

/** Lets a claim grow only when it is bound and its class allows that. */
export function persistentVolumeClaimResize({ dialect, read }: PluginSources): AdmissionPlugin {
  const group = dialect.group('storage');

  function mayGrow(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
    const name = storageClassName(claim, dialect);
    if (name === '' || name !== storageClassName(old, dialect)) return false;
    const found = read.get<StorageClass>(group, 'storageclasses', '', name);
    return found?.allowVolumeExpansion === true;
  }

  return {
    name: 'PersistentVolumeClaimResize',
    handles: onOperations('UPDATE'),
    validate(attributes) {
      const { resource, subresource } = attributes;
      if (resource.resource !== 'persistentvolumeclaims' || resource.group !== '' || subresource !== '')
        return;
      const claim = attributes.object as PersistentVolumeClaim; // the resource holds nothing else
      const old = attributes.oldObject as PersistentVolumeClaim;
      if (!isLarger(sizeOf(claim), sizeOf(old))) return;
      if (old.status.phase !== 'Bound') {
        throw refuse(attributes, 'Only bound persistent volume claims can be expanded');
      }
      if (mayGrow(claim, old)) return;
      throw refuse(
        attributes,
        'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
      );
    },
  };
}

const sizeOf = ({ spec }: PersistentVolumeClaim): string => spec.resources.requests?.storage ?? '0';

function isLarger(size: string, old: string): boolean {
  return size !== old && compareQuantities(parseQuantity(size), parseQuantity(old)) > 0;
}

/** Gives new claims and volumes the finalizer that keeps them while they are in use. */
export function storageObjectInUseProtection({ dialect }: PluginSources): AdmissionPlugin {
  const finalizers: Readonly<Record<string, string>> = {
    persistentvolumeclaims: dialect.label('pvc-protection'),
    persistentvolumes: dialect.label('pv-protection'),
  };
  return {
    name: 'StorageObjectInUseProtection',
    handles: onOperations('CREATE'),
    admit({ resource, subresource, object }) {
      if (resource.group !== '' || subresource !== '' || object === undefined) return;
      const finalizer = finalizers[resource.resource];
      const { metadata } = object;
      if (finalizer === undefined || metadata.finalizers?.includes(finalizer)) return;
      metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
    },
  };
}
