import { type Command, Help } from '@oclif/core';
import { loadPrograms } from '../src/app/load-programs.ts';
import { printHelp } from '../src/app/print-help.ts';
import { processIo } from '../src/app/program-io.ts';
import type { ProgramSpec } from '../src/config/index.ts';

/** Help of orch's own commands is made from their tables; that of plugins is oclif's. */
export default class OrchHelp extends Help {
  override async showCommandHelp(command: Command.Loadable): Promise<void> {
    const words = command.id.split(':');
    const own = command.pluginName === this.config.pjson.name ? await findProgram(words) : undefined;
    if (own === undefined) await super.showCommandHelp(command);
    else await printHelp(own, processIo());
  }
}

async function findProgram(words: readonly string[]): Promise<ProgramSpec | undefined> {
  const [orch, ctl, nodeagent] = await loadPrograms();
  const [first = '', ...rest] = words;
  const roots = new Map([
    ['ctl', ctl],
    ['nodeagent', nodeagent],
  ]);
  let program = roots.get(first) ?? below(orch, first);
  for (const word of rest) program = program && below(program, word);
  return program;
}

function below(program: ProgramSpec, word: string): ProgramSpec | undefined {
  return program.commands?.find(({ name }) => name.endsWith(` ${word}`));
}
