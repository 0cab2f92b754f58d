import { type FieldError, fieldPath, invalidValue } from '../../machinery/errors/index.ts';
import { checkSeccompAnnotation, describeAppArmorProfile } from '../core/pod-spec/index.ts';
import type { RuleContext } from '../kind-rules.ts';

const annotationsPath = fieldPath('metadata', 'annotations');

/** Adds the errors of the annotations by which a policy says which profiles pods may have, and which one by default. */
export function validateProfileAnnotations(
  errors: FieldError[],
  annotations: Readonly<Record<string, string>>,
  { dialect }: RuleContext,
): void {
  const read = (name: string) => {
    const key = dialect.spell(name);
    return { path: annotationsPath.key(key), value: annotations[key] ?? '' };
  };
  const ofAppArmor = read('apparmor.security.beta.orch.io/defaultProfileName');
  const appArmorList = read('apparmor.security.beta.orch.io/allowedProfileNames');
  for (const { path, value, profiles } of [
    { ...ofAppArmor, profiles: [ofAppArmor.value] },
    { ...appArmorList, profiles: appArmorList.value.split(',') },
  ]) {
    for (const profile of profiles) {
      const problem = describeAppArmorProfile(profile);
      // Release 1.20 shows the whole list with each wrong name in it. An answer has room for a few only.
      if (problem !== undefined) errors.push(invalidValue(path, value, problem));
    }
  }
  const ofSeccomp = read('seccomp.security.alpha.orch.io/defaultProfileName');
  if (ofSeccomp.value !== '') checkSeccompAnnotation(errors, ofSeccomp.value, ofSeccomp.path);
  const seccompList = read('seccomp.security.alpha.orch.io/allowedProfileNames');
  if (seccompList.value === '') return;
  for (const profile of seccompList.value.split(',')) {
    if (profile !== '*') checkSeccompAnnotation(errors, profile, seccompList.path);
  }
}
