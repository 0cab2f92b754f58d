import type { Ingress } from '../../../apis/types/networking-v1beta1.ts';
import type { PluginSources } from '../options.ts';
import { type AdmissionPlugin, onOperations } from '../plugin.ts';
import { findDefaultClass } from './default-class.ts';

/** Gives an ingress that names no class, by field or by annotation, the default IngressClass. */
export function defaultIngressClass({ dialect, read }: PluginSources): AdmissionPlugin {
  const group = dialect.group('networking');
  const classAnnotation = dialect.label('ingress.class');
  const annotations = [dialect.domain('ingressclass', 'is-default-class')];
  return {
    name: 'DefaultIngressClass',
    handles: onOperations('CREATE'),
    admit(attributes) {
      const { resource, subresource, object } = attributes;
      if (resource.resource !== 'ingresses' || resource.group !== group || subresource !== '') return;
      const { metadata, spec } = object as Ingress; // the resource holds nothing else
      if (typeof spec.ingressClassName === 'string') return;
      if (metadata.annotations?.[classAnnotation] !== undefined) return;
      const classes = read.list(group, 'ingressclasses');
      const name = findDefaultClass(attributes, { classes, annotations, plural: 'IngressClasses' });
      if (name !== undefined) spec.ingressClassName = name;
    },
  };
}
