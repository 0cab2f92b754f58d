/**
 * `ctl auth`: asks the server what somebody may do. What it grants is changed through roles and bindings (`ctl create`).
 */
import { defineVerb, refuseToGuess } from '../verb.ts';

export { ruleCells } from './access-list.ts';

/** The verb; all of its work is in commands of its own. */
export const authVerb = defineVerb({
  program: {
    name: 'ctl auth',
    summary: 'Ask what somebody may do',
    usage: 'COMMAND [flags]',
    options: [],
    examples: [
      { command: 'ctl auth can-i create pods --as=alice', does: 'ask for somebody else' },
      { command: 'ctl auth can-i --list', does: 'list what you may do' },
    ],
  },
  subverbs: {
    'can-i': async () => (await import('./can-i.ts')).canIVerb,
    reconcile: async () => (await import('./reconcile.ts')).reconcileVerb,
    whoami: async () => (await import('./whoami.ts')).whoAmIVerb,
  },
  run: refuseToGuess,
});
