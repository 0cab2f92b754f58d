import type { RuleContext } from '../kind-rules.ts';
import type { Pod, SeccompProfile } from '../types/core-v1.ts';
import {
  everyContainer,
  podAnnotationNames,
  seccompAnnotationFor,
  seccompProfileFor,
} from './pod-spec/index.ts';

/**
 * Writes the seccomp choice of a new pod in both its forms: what is given as an annotation becomes a field,
 * and the other way round.
 */
export function syncSeccomp(pod: Pod, context: RuleContext): void {
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
