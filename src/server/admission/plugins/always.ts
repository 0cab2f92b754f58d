import type { AdmissionAttributes } from '../../../registry/index.ts';
import type { AdmissionPlugin } from '../plugin.ts';
import { refuse } from '../refusal.ts';

/** Lets everything pass. It exists because configurations name it. */
export function alwaysAdmit(): AdmissionPlugin {
  return { name: 'AlwaysAdmit', handles: () => false };
}

/** Refuses every write. */
export function alwaysDeny(): AdmissionPlugin {
  const deny = (attributes: AdmissionAttributes): void => {
    throw refuse(attributes, 'admission control is denying all modifications');
  };
  return { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny };
}
