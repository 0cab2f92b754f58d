import type { AdmissionPlugin } from '../plugin.ts';

/** Lets everything pass. It exists because configurations name it. */
export function alwaysAdmit(): AdmissionPlugin {
  return { name: 'AlwaysAdmit', handles: () => false };
}
