/**
 * Commands of others: programs named `ctl-NAME` on PATH run as `ctl NAME`. They get the rest of the command line and the
 * environment, and their exit code is the client's. The client's own commands are never replaced.
 */
import { defineVerb, refuseToGuess } from '../verb.ts';

export { findPlugin, type PluginCall } from './find-plugin.ts';

/** `ctl plugin`; all of its work is in `ctl plugin list`. */
export const pluginVerb = defineVerb({
  program: {
    name: 'ctl plugin',
    summary: 'Show the programs that serve as commands',
    usage: 'COMMAND [flags]',
    description: [
      'A program named ctl-NAME in a folder of PATH runs as ctl NAME. It gets the arguments that follow, and the environment. Of ctl foo bar, ctl-foo-bar is tried before ctl-foo; a dash within a word is an underscore in the name of the file. Commands of ctl cannot be replaced.',
    ],
    options: [],
    examples: [{ command: 'ctl plugin list', does: 'list them' }],
  },
  subverbs: { list: async () => (await import('./list.ts')).pluginListVerb },
  run: refuseToGuess,
});
