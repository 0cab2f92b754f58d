import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';

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
