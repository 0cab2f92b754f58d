/**
 * `ctl rollout`: how deployments, daemon sets and stateful sets get from one pod template to the next. It follows them,
 * shows their revisions and goes back to one; what a rollout does is for the controllers of the server.
 */
import { defineVerb, refuseToGuess } from '../verb.ts';

/** The verb; all of its work is in commands of its own. */
export const rolloutVerb = defineVerb({
  program: {
    name: 'ctl rollout',
    summary: 'Follow, pause and undo rollouts of pod templates',
    usage: 'COMMAND [flags]',
    description: ['For deployments, daemon sets and stateful sets.'],
    options: [],
    examples: [
      {
        command: 'ctl rollout status deployment/web',
        does: 'wait until all pods are made from the new template',
      },
      { command: 'ctl rollout undo deployment/web', does: 'go back to the template before' },
    ],
  },
  subverbs: {
    history: async () => (await import('./history.ts')).historyVerb,
    pause: async () => (await import('./change.ts')).pauseVerb,
    restart: async () => (await import('./change.ts')).restartVerb,
    resume: async () => (await import('./change.ts')).resumeVerb,
    status: async () => (await import('./status.ts')).statusVerb,
    undo: async () => (await import('./undo.ts')).undoVerb,
  },
  run: refuseToGuess,
});
