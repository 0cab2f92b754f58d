import {
  type FieldError,
  type FieldPath,
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../machinery/errors/index.ts';
import type { RuleContext } from '../../kind-rules.ts';
import type { SeccompProfile } from '../../types/core-v1.ts';
import { renderGo } from '../../validation/index.ts';
import allowed from './allowed-values.json' with { type: 'json' };
import { checkDescendingPath } from './local-paths.ts';

const localhostPrefix = 'localhost/';
const defaultProfiles = new Set(['runtime/default', 'docker/default']);

/** Errors of the field that chooses a seccomp profile. */
export function checkSeccompProfile(
  errors: FieldError[],
  profile: SeccompProfile,
  path: FieldPath,
  context: RuleContext,
): void {
  if (profile.type === '') {
    errors.push(required(path.child('type'), 'type is required when seccompProfile is set'));
  } else if (!allowed.seccompProfileType.includes(profile.type)) {
    errors.push(notSupported(path.child('type'), profile.type, allowed.seccompProfileType));
  }
  const { localhostProfile } = profile;
  const profilePath = path.child('localhostProfile');
  if (profile.type === 'Localhost') {
    if (localhostProfile !== undefined) checkDescendingPath(errors, localhostProfile, profilePath);
    else errors.push(required(profilePath, 'must be set when seccomp type is Localhost'));
  } else if (localhostProfile !== undefined) {
    const shown = renderGo(profile, 'v1.SeccompProfile', context.catalog);
    errors.push(invalidValue(profilePath, shown, 'can only be set when seccomp type is Localhost'));
  }
}

/** Errors of the value of a seccomp annotation, the older form of the field. */
export function checkSeccompAnnotation(errors: FieldError[], value: string, path: FieldPath): void {
  if (value === 'unconfined' || defaultProfiles.has(value)) return;
  if (value.startsWith(localhostPrefix)) {
    checkDescendingPath(errors, value.slice(localhostPrefix.length), path);
  } else errors.push(invalidValue(path, value, 'must be a valid seccomp profile'));
}

/** Errors of an annotation and a field that say different things. */
export function checkSeccompMatch(
  errors: FieldError[],
  annotation: string,
  profile: SeccompProfile,
  path: FieldPath,
): void {
  const reject = (field: string, detail: string): void => {
    errors.push(forbiddenField(path.child(field), detail));
  };
  const typeDiffers = 'seccomp type in annotation and field must match';
  if (profile.type === 'Unconfined' && annotation !== 'unconfined') reject('type', typeDiffers);
  if (profile.type === 'RuntimeDefault' && !defaultProfiles.has(annotation)) reject('type', typeDiffers);
  if (profile.type !== 'Localhost') return;
  if (!annotation.startsWith(localhostPrefix)) reject('type', typeDiffers);
  else if (profile.localhostProfile !== annotation.slice(localhostPrefix.length)) {
    reject('localhostProfile', 'seccomp profile in annotation and field must match');
  }
}

/** The annotation that says what a field says; empty when there is none. */
export function seccompAnnotationFor(profile: SeccompProfile): string {
  if (profile.type === 'Unconfined') return 'unconfined';
  if (profile.type === 'RuntimeDefault') return 'runtime/default';
  return profile.localhostProfile === undefined ? '' : `${localhostPrefix}${profile.localhostProfile}`;
}

/** The field that says what an annotation says; undefined when there is none. */
export function seccompProfileFor(annotation: string): SeccompProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (defaultProfiles.has(annotation)) return { type: 'RuntimeDefault' };
  const name = annotation.startsWith(localhostPrefix) ? annotation.slice(localhostPrefix.length) : '';
  return name === '' ? undefined : { type: 'Localhost', localhostProfile: name };
}
