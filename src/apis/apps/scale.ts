import { type FieldError, fieldPath } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { labelSelectorFromObject, labelSelectorFromSet } from '../../machinery/selectors/index.ts';
import type { Scale } from '../types/autoscaling-v1.ts';
import type { LabelSelector } from '../types/meta-v1.ts';
import { nameIsDnsSubdomain, validateNonNegative, validateObjectMeta } from '../validation/index.ts';

/** What deployments, replica sets, stateful sets and replication controllers have in common. */
export interface Scalable extends ApiObject {
  spec: {
    replicas?: number | undefined;
    /** A label selector; in replication controllers just the labels. */
    selector?: LabelSelector | Record<string, string> | null | undefined;
  };
  status: { replicas?: number | undefined };
}

const replicasPath = fieldPath('spec', 'replicas');

/** The scale of an object, in canonical form. */
export function toScale(object: Scalable): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp = null } = object.metadata;
  const replicas = object.spec.replicas ?? 0;
  const selector = selectorText(object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: object.status.replicas ?? 0, ...(selector === '' ? {} : { selector }) },
  };
}

function selectorText({ kind, spec }: Scalable): string {
  if (!spec.selector) return '';
  // Only replication controllers have bare labels, and they have nothing else.
  if (kind === 'ReplicationController') {
    return labelSelectorFromSet(spec.selector as Record<string, string>).toString();
  }
  return labelSelectorFromObject(spec.selector as LabelSelector).toString();
}

/** Writes the wanted number of replicas into the object. The scale must be valid. */
export function applyScale(object: Scalable, scale: Scale): void {
  object.spec.replicas = scale.spec.replicas ?? 0;
}

/** All errors of a scale that a client sent, in release 1.20's order. */
export function validateScale(scale: Scale): FieldError[] {
  return [
    ...validateObjectMeta(
      scale.metadata,
      { isNamespaced: true, validateName: nameIsDnsSubdomain },
      fieldPath('metadata'),
    ),
    ...validateNonNegative(scale.spec.replicas ?? 0, replicasPath),
  ];
}
