import type { RuleContext } from '../kind-rules.ts';
import type { Pod } from '../types/core-v1.ts';
import {
  everyContainer,
  podAnnotationNames,
  seccompAnnotationFor,
  seccompProfileFor,
} from './pod-spec/index.ts';

/**
 * Writes the seccomp choice of a new pod in both its forms: what is given as an annotation becomes a field,
 * and the other way round. Answers true when it changed the pod, whose fields may then be out of order.
 */
export function syncSeccomp(pod: Pod, context: RuleContext): boolean {
  const names = podAnnotationNames(context.dialect);
  const { spec } = pod;
  let hasChanged = sync(pod, names.seccompPod, spec.securityContext?.seccompProfile, (profile) => {
    spec.securityContext = { ...spec.securityContext, seccompProfile: profile };
  });
  for (const { container } of everyContainer(spec)) {
    const key = `${names.seccompContainerPrefix}${container.name}`;
    const hasContainerChanged = sync(pod, key, container.securityContext?.seccompProfile, (profile) => {
      container.securityContext = { ...container.securityContext, seccompProfile: profile };
    });
    hasChanged ||= hasContainerChanged;
  }
  return hasChanged;
}

type Profile = NonNullable<ReturnType<typeof seccompProfileFor>>;

function sync(
  pod: Pod,
  key: string,
  profile: Profile | undefined,
  setProfile: (profile: Profile) => void,
): boolean {
  const annotation = pod.metadata.annotations?.[key];
  if (profile !== undefined && annotation === undefined) {
    const text = seccompAnnotationFor(profile);
    if (text === '') return false;
    pod.metadata.annotations = { ...pod.metadata.annotations, [key]: text };
    return true;
  }
  if (profile !== undefined || annotation === undefined) return false;
  const wanted = seccompProfileFor(annotation);
  if (wanted === undefined) return false;
  setProfile(wanted);
  return true;
}
