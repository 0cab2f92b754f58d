import { loadColours, renderHelp } from '../config/index.ts';
import { UsageError } from './errors.ts';
import { globalOptions } from './options/global.ts';
import { defineVerb } from './verb.ts';

const program = {
  name: 'ctl options',
  summary: 'Show the flags that all commands have',
  usage: '',
  options: [],
} as const;

/** `ctl options`. */
export const optionsVerb = defineVerb({
  program,
  async run({ io }, { args }) {
    if (args.length > 0) throw new UsageError(`unexpected arguments: ${args.join(' ')}`);
    const colours = await loadColours({ isTerminal: io.stdout.isTerminal, env: io.env });
    const help = { ...program, summary: 'These flags can be given to any command', usage: 'COMMAND [flags]' };
    io.stdout.write(renderHelp({ ...help, name: 'ctl', options: globalOptions }, { colours }));
  },
});
