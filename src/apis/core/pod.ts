import type { KindRules } from '../kind-rules.ts';
import type { Pod, PodSpec } from '../types/core-v1.ts';
import type { ObjectMeta } from '../types/meta-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import { podQosClass } from './pod-qos.ts';
import { syncSeccomp } from './pod-seccomp-sync.ts';
import { dropGatedPodFields } from './pod-spec/index.ts';
import { preparePodStatusUpdate, validatePodStatusUpdate } from './pod-status.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validatePod } from './pod-validation.ts';

/** Rules of pods. */
export const podRules: KindRules<Pod> = {
  validateName: nameIsDnsSubdomain,
  hasStatus: true,
  prepareForCreate(pod, context) {
    pod.status = { phase: 'Pending', qosClass: podQosClass(pod.spec) };
    dropGatedPodFields(pod.spec, undefined, context);
    if (!syncSeccomp(pod, context)) return;
    // Fields that were added stand last; the wire has them in the type's order.
    pod.spec = context.catalog.type('v1.PodSpec').canonicalize(pod.spec) as unknown as PodSpec;
    const metaType = context.catalog.type('meta.orch.io/v1.ObjectMeta');
    pod.metadata = metaType.canonicalize(pod.metadata) as unknown as ObjectMeta;
  },
  validate: validatePod,
  returnsDeletedObject: true,
  prepareForUpdate(pod, old, context) {
    pod.status = old.status;
    dropGatedPodFields(pod.spec, old.spec, context);
  },
  validateUpdate: validatePodUpdate,
  status: { prepareForUpdate: preparePodStatusUpdate, validateUpdate: validatePodStatusUpdate },
  gracePeriodSeconds: podGracePeriodSeconds,
};

/**
 * Seconds that the agent has to stop a pod. There is nobody to wait for when the pod has no node or has ended.
 */
export function podGracePeriodSeconds(pod: Pod, requested: number | undefined): number {
  const { phase } = pod.status;
  if (!pod.spec.nodeName || phase === 'Succeeded' || phase === 'Failed') return 0;
  return requested ?? pod.spec.terminationGracePeriodSeconds ?? 0;
}
