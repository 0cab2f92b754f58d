import type { PersistentVolumeClaim } from '../../../apis/types/core-v1.ts';
import type { Ingress } from '../../../apis/types/networking-v1beta1.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { requestedGroup } from '../pod-attributes.ts';
import { refuse } from '../refusal.ts';

/**
 * Gives an ingress that names no class, by field or by annotation, the default IngressClass. As in release 1.20, one of
 * the old group `extensions` goes without.
 */
export function defaultIngressClass({ dialect, read }: PluginSources): AdmissionPlugin {
  const group = dialect.group('networking');
  const classAnnotation = dialect.label('ingress.class');
  const annotations = [dialect.domain('ingressclass', 'is-default-class')];
  return {
    name: 'DefaultIngressClass',
    handles: onOperations('CREATE'),
    admit(attributes) {
      const { resource, subresource, object } = attributes;
      if (resource.resource !== 'ingresses' || subresource !== '') return;
      if (requestedGroup(attributes) !== group) return;
      const { metadata, spec } = object as Ingress; // the resource holds nothing else
      if (typeof spec.ingressClassName === 'string') return;
      if (metadata.annotations?.[classAnnotation] !== undefined) return;
      const classes = read.list(group, 'ingressclasses');
      const name = findDefaultClass(attributes, { classes, annotations, plural: 'IngressClasses' });
      if (name !== undefined) spec.ingressClassName = name;
    },
  };
}

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

/** Which of some classes is the default one. */
interface DefaultClassQuestion {
  readonly classes: readonly ApiObject[];
  /** Annotations that mark it with the value `true`. */
  readonly annotations: readonly string[];
  /** How the message names several of them. */
  readonly plural: string;
}

/**
 * Name of the only default class; undefined when there is none.
 *
 * @throws StatusError 403 when there are several.
 */
function findDefaultClass(
  attributes: AdmissionAttributes,
  { classes, annotations, plural }: DefaultClassQuestion,
): string | undefined {
  const marked = classes.filter(({ metadata }) =>
    annotations.some((name) => metadata.annotations?.[name] === 'true'),
  );
  if (marked.length > 1) {
    throw refuse(attributes, `Internal error occurred: ${marked.length} default ${plural} were found`);
  }
  return marked[0]?.metadata.name;
}
