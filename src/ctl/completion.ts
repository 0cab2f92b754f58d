import { completionShells, renderAskingCompletion } from '../config/index.ts';
import { UsageError } from './errors.ts';
import { defineVerb } from './verb.ts';

/** `ctl completion SHELL`. */
export const completionVerb = defineVerb({
  program: {
    name: 'ctl completion',
    summary: 'Print a script that completes command lines in a shell',
    usage: completionShells.join('|'),
    options: [],
    examples: [
      { command: 'source <(ctl completion bash)', does: 'complete in this shell' },
      { command: 'ctl completion fish > ~/.config/fish/completions/ctl.fish', does: 'complete in every one' },
    ],
  },
  async run(ctl, { args }) {
    const [name, ...rest] = args;
    if (name === undefined) throw new UsageError('Shell not specified.');
    if (rest.length > 0) throw new UsageError('Too many arguments. Expected only the shell type.');
    const shell = completionShells.find((one) => one === name);
    if (shell === undefined) throw new UsageError(`Unsupported shell type ${JSON.stringify(name)}.`);
    ctl.io.stdout.write(renderAskingCompletion('ctl', shell));
  },
});
