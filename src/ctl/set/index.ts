/**
 * `ctl set`: changes single fields of objects that are there, or of files. What it writes are patches, so that others'
 * changes stay.
 */
import { defineVerb, refuseToGuess } from '../verb.ts';

/** The verb; all of its work is in commands of its own. */
export const setVerb = defineVerb({
  program: {
    name: 'ctl set',
    summary: 'Change images, variables and the like of objects',
    usage: 'COMMAND [flags]',
    options: [],
    examples: [{ command: 'ctl set image deployment/web web=web:2', does: 'run another image' }],
  },
  subverbs: {
    env: async () => (await import('./env.ts')).envVerb,
    image: async () => (await import('./image.ts')).imageVerb,
    resources: async () => (await import('./resources.ts')).resourcesVerb,
    selector: async () => (await import('./selector.ts')).selectorVerb,
    serviceaccount: async () => (await import('./service-account.ts')).serviceAccountVerb,
    sa: async () => (await import('./service-account.ts')).serviceAccountVerb,
    subject: async () => (await import('./subject.ts')).subjectVerb,
  },
  run: refuseToGuess,
});
