import type { KindRules } from '../kind-rules.ts';
import type { Pod } from '../types/core-v1.ts';
import { nameIsDnsSubdomain } from '../validation/index.ts';
import { prepareEphemeralUpdate, validateEphemeralUpdate } from './pod-ephemeral-update.ts';
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
    syncSeccomp(pod, context);
  },
  validate: validatePod,
  returnsDeletedObject: true,
  prepareForUpdate(pod, old, context) {
    pod.status = old.status;
    dropGatedPodFields(pod.spec, old.spec, context);
  },
  validateUpdate: validatePodUpdate,
  status: { prepareForUpdate: preparePodStatusUpdate, validateUpdate: validatePodStatusUpdate },
  subresources: {
    ephemeralcontainers: {
      prepareForUpdate: prepareEphemeralUpdate,
      validateUpdate: validateEphemeralUpdate,
    },
  },
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
