import { type FieldError, fieldPath, forbiddenField, quoteGo } from '../../machinery/errors/index.ts';
import type { KindRules, RuleContext } from '../kind-rules.ts';
import type { Pod, SeccompProfile } from '../types/core-v1.ts';
import { deepEqual, nameIsDnsSubdomain } from '../validation/index.ts';
import { podQosClass } from './pod-qos.ts';
import {
  checkEphemeralContainers,
  dropGatedPodFields,
  everyContainer,
  podAnnotationNames,
  seccompAnnotationFor,
  seccompProfileFor,
} from './pod-spec/index.ts';
import { preparePodStatusUpdate, validatePodStatusUpdate } from './pod-status.ts';
import { validatePodUpdate } from './pod-update.ts';
import { validatePod } from './pod-validation.ts';
import { describeDifference } from './spec-difference.ts';

/**
 * Writes the seccomp choice of a new pod in both its forms: what is given as an annotation becomes a field,
 * and the other way round.
 */
function syncSeccomp(pod: Pod, context: RuleContext): void {
  const names = podAnnotationNames(context.dialect);
  const { spec } = pod;
  syncOne(pod, names.seccompPod, spec.securityContext?.seccompProfile, (seccompProfile) => {
    spec.securityContext = { ...spec.securityContext, seccompProfile };
  });
  for (const { container } of everyContainer(spec)) {
    const key = `${names.seccompContainerPrefix}${container.name}`;
    syncOne(pod, key, container.securityContext?.seccompProfile, (seccompProfile) => {
      container.securityContext = { ...container.securityContext, seccompProfile };
    });
  }
}

function syncOne(
  pod: Pod,
  key: string,
  profile: SeccompProfile | undefined,
  setProfile: (profile: SeccompProfile) => void,
): void {
  const annotation = pod.metadata.annotations?.[key];
  if (profile !== undefined && annotation === undefined) {
    const text = seccompAnnotationFor(profile);
    if (text !== '') pod.metadata.annotations = { ...pod.metadata.annotations, [key]: text };
  } else if (profile === undefined && annotation !== undefined) {
    const wanted = seccompProfileFor(annotation);
    if (wanted !== undefined) setProfile(wanted);
  }
}

const listPath = fieldPath('spec', 'ephemeralContainers');

/** Keeps all of a pod but its ephemeral containers. */
function prepareEphemeralUpdate(pod: Pod, old: Pod): void {
  pod.spec = { ...old.spec, ephemeralContainers: pod.spec.ephemeralContainers };
  pod.status = old.status;
}

/** All errors of changed ephemeral containers: there may be more of them, nothing else. */
function validateEphemeralUpdate(pod: Pod, old: Pod, context: RuleContext): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Map((pod.spec.volumes ?? []).map((volume) => [volume.name, volume]));
  checkEphemeralContainers(errors, pod.spec, listPath, { volumes, context });
  const present = new Map(
    (pod.spec.ephemeralContainers ?? []).map((container) => [container.name, container]),
  );
  for (const before of old.spec.ephemeralContainers ?? []) {
    const after = present.get(before.name);
    if (after !== undefined && deepEqual(before, after)) continue;
    const change = after === undefined ? 'removed' : 'changed';
    const difference = after === undefined ? '' : describeDifference(before, after);
    const detail = `existing ephemeral containers ${quoteGo(before.name)} may not be ${change}\n${difference}`;
    errors.push(forbiddenField(listPath, detail));
  }
  return errors;
}

/** Rules of pods. */
export const podRules: KindRules<Pod> = {
  validateName: nameIsDnsSubdomain,
  hasStatus: true,
  prepareForCreate(pod, context) {
    pod.status = { phase: 'Pending', qosClass: podQosClass(pod.spec) };
    dropGatedPodFields(pod, undefined, context);
    syncSeccomp(pod, context);
  },
  validate: validatePod,
  answersDeletion: 'object',
  prepareForUpdate(pod, old, context) {
    pod.status = old.status;
    dropGatedPodFields(pod, old, context);
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
