/**
 * `ctl config`: shows and changes client configuration files. Nothing here talks to a server.
 */
import { defineVerb, refuseToGuess } from '../verb.ts';

/** The verb; all of its work is in commands of its own. */
export const configVerb = defineVerb({
  program: {
    name: 'ctl config',
    summary: 'Show and change the client configuration',
    usage: 'COMMAND [flags]',
    options: [],
    examples: [
      { command: 'ctl config get-contexts', does: 'list the contexts' },
      { command: 'ctl config use-context test', does: 'work with another one from now on' },
      {
        command: 'ctl config set-context --current --namespace=team-a',
        does: 'change the namespace to work in',
      },
    ],
  },
  subverbs: {
    view: async () => (await import('./view.ts')).viewVerb,
    'current-context': async () => (await import('./contexts.ts')).currentContextVerb,
    'get-contexts': async () => (await import('./contexts.ts')).getContextsVerb,
    'use-context': async () => (await import('./contexts.ts')).useContextVerb,
    use: async () => (await import('./contexts.ts')).useContextVerb,
    set: async () => (await import('./set-property.ts')).setPropertyVerb,
    unset: async () => (await import('./set-property.ts')).unsetPropertyVerb,
    'set-context': async () => (await import('./set-entries.ts')).setContextVerb,
    'set-cluster': async () => (await import('./set-entries.ts')).setClusterVerb,
    'set-credentials': async () => (await import('./set-credentials.ts')).setCredentialsVerb,
    'rename-context': async () => (await import('./contexts.ts')).renameContextVerb,
    'delete-context': async () => (await import('./entries.ts')).deleteContextVerb,
    'delete-cluster': async () => (await import('./entries.ts')).deleteClusterVerb,
    'delete-user': async () => (await import('./entries.ts')).deleteUserVerb,
    'get-clusters': async () => (await import('./entries.ts')).getClustersVerb,
    'get-users': async () => (await import('./entries.ts')).getUsersVerb,
  },
  run: refuseToGuess,
});
