/**
 * orch's commands as oclif knows them: classes made from the tables of options that parse, describe and document them. A
 * command line of orch or ctl runs without these (`src/app/main.ts`); oclif, its manifest and its plugins use them.
 */
import { Command, Flags, type Interfaces } from '@oclif/core';
import { findCommand } from '../src/app/commands.ts';
import { loadPrograms } from '../src/app/load-programs.ts';
import { processIo } from '../src/app/program-io.ts';
import type { OptionSpec, ProgramSpec } from '../src/config/index.ts';

/** The options, for whoever asks oclif about them. Parsing is the table's own. */
function flagsOf(options: readonly OptionSpec[]): Interfaces.FlagInput {
  return Object.fromEntries(
    options
      .filter((option) => !option.hidden && !option.unsupported)
      .map((option) => {
        const common = { description: option.help, helpGroup: option.section };
        return [option.name, option.type === 'bool' ? Flags.boolean(common) : Flags.string(common)];
      }),
  );
}

function commandClass(words: readonly string[], program: ProgramSpec): typeof Command {
  return class extends Command {
    static override readonly summary = program.summary;
    static override readonly description = (program.description ?? []).join('\n\n');
    /** oclif leaves arguments and flags to the table. */
    static override readonly strict = false;
    static override readonly flags = flagsOf(program.options);

    async run(): Promise<void> {
      const found = findCommand([...words, ...this.argv]);
      process.exitCode = await found?.run(found.argv, processIo());
    }
  };
}

function classesOf(program: ProgramSpec, words: readonly string[]): [string, typeof Command][] {
  const below = (program.commands ?? []).flatMap((command) =>
    classesOf(command, [...words, command.name.split(' ').at(-1) ?? '']),
  );
  return words.length === 0 ? below : [[words.join(':'), commandClass(words, program)], ...below];
}

const [orch, ctl, nodeagent] = await loadPrograms();

/** By the id that oclif gives them: `ctl:config:view`. */
export const COMMANDS: Readonly<Record<string, typeof Command>> = Object.fromEntries([
  ...classesOf(orch, []),
  ...classesOf(ctl, ['ctl']),
  ...classesOf(nodeagent, ['nodeagent']),
]);
