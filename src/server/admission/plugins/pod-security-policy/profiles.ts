import { type PodAnnotationNames, seccompAnnotationFor } from '../../../../apis/core/index.ts';
import type { Container, Pod } from '../../../../apis/types/core-v1.ts';
import type { Dialect } from '../../../../machinery/dialect.ts';
import { type FieldError, fieldPath, forbiddenField, quoteGo } from '../../../../machinery/errors/index.ts';

type Annotations = Readonly<Record<string, string>>;

/** What a policy says, by its annotations, of AppArmor and seccomp profiles. */
export interface ProfileControl {
  /** AppArmor's for containers without one. */
  readonly defaultAppArmor: string;
  /** The pod's own seccomp profile, in the form of the annotation, or the default; '' for none. */
  seccompFor(pod: Pod): string;
  checkPod(pod: Pod): FieldError[];
  checkAppArmor(pod: Pod, container: Container): FieldError[];
  checkSeccomp(pod: Pod, container: Container): FieldError[];
}

/** Profiles that are one: the name of before version 1.11, and the one of today. */
const runtimeDefaults = ['docker/default', 'runtime/default'];

const annotationsPath = fieldPath('pod', 'metadata', 'annotations');

/** The control of a policy's annotations. */
export function createProfileControl(
  annotations: Annotations,
  names: PodAnnotationNames,
  dialect: Dialect,
): ProfileControl {
  const appArmor = (name: string) => annotations[dialect.domain('apparmor.security.beta', name)];
  const seccomp = (name: string) => annotations[dialect.domain('seccomp.security.alpha', name)];
  const appArmorText = appArmor('allowedProfileNames');
  const seccompText = seccomp('allowedProfileNames') ?? '';
  const isRestricted = seccomp('allowedProfileNames') !== undefined;
  const seccompNames = new Set(isRestricted ? seccompText.split(',') : []);
  const allowsAll = seccompNames.delete('*');
  if (runtimeDefaults.some((name) => seccompNames.has(name))) {
    for (const name of runtimeDefaults) seccompNames.add(name);
  }
  const seccompErrors = (key: string, profile: string): FieldError[] => {
    if (allowsAll || seccompNames.has(profile)) return [];
    if (seccompNames.size === 0 && profile === '') return [];
    const path = annotationsPath.key(key);
    if (seccompNames.size === 0) return [forbiddenField(path, 'seccomp may not be set')];
    const detail = `${profile} is not an allowed seccomp profile. Valid values are ${seccompText}`;
    return [forbiddenField(path, detail)];
  };
  const ofPod = (pod: Pod): string => pod.metadata.annotations?.[names.seccompPod] || fieldOf(pod.spec);

  return {
    defaultAppArmor: appArmor('defaultProfileName') ?? '',
    seccompFor: (pod) => ofPod(pod) || (seccomp('defaultProfileName') ?? ''),
    checkPod: (pod) => seccompErrors(names.seccompPod, ofPod(pod)),
    checkSeccomp(pod, container) {
      const key = `${names.seccompContainerPrefix}${container.name}`;
      const own = container.securityContext?.seccompProfile;
      const given = own ? seccompAnnotationFor(own) : pod.metadata.annotations?.[key];
      const inherited = pod.metadata.annotations?.[names.seccompPod] ?? '';
      return seccompErrors(key, given ?? (fieldOf(pod.spec) || inherited));
    },
    checkAppArmor(pod, { name }) {
      if (appArmorText === undefined) return [];
      const key = `${names.appArmorContainerPrefix}${name}`;
      const profile = pod.metadata.annotations?.[key] ?? '';
      const path = annotationsPath.key(key);
      if (profile === '') return [forbiddenField(path, 'AppArmor profile must be set')];
      if (appArmorText.split(',').includes(profile)) return [];
      const detail = `${profile} is not an allowed profile. Allowed values: ${quoteGo(appArmorText)}`;
      return [forbiddenField(path, detail)];
    },
  };
}

const fieldOf = ({ securityContext }: Pod['spec']): string =>
  securityContext?.seccompProfile ? seccompAnnotationFor(securityContext.seccompProfile) : '';
