import type { PersistentVolumeClaim } from '../../../apis/types/core-v1.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { findDefaultClass } from './default-class.ts';

/** Gives a claim that names no class (an empty name is one) the default StorageClass. */
export function defaultStorageClass({ dialect, read }: PluginSources): AdmissionPlugin {
  const classAnnotation = dialect.domain('volume.beta', 'storage-class');
  const annotations = [
    dialect.domain('storageclass', 'is-default-class'),
    dialect.domain('storageclass.beta', 'is-default-class'),
  ];
  return {
    name: 'DefaultStorageClass',
    handles: onOperations('CREATE'),
    admit(attributes) {
      const { resource, subresource, object } = attributes;
      if (resource.resource !== 'persistentvolumeclaims' || resource.group !== '' || subresource !== '')
        return;
      const { metadata, spec } = object as PersistentVolumeClaim; // the resource holds nothing else
      if (typeof spec.storageClassName === 'string') return;
      if (metadata.annotations?.[classAnnotation] !== undefined) return;
      const classes = read.list(dialect.group('storage'), 'storageclasses');
      const name = findDefaultClass(attributes, { classes, annotations, plural: 'StorageClasses' });
      if (name !== undefined) spec.storageClassName = name;
    },
  };
}
