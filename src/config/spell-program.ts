import type { OptionSpec, ProgramSpec } from './options.ts';

type Spell = (text: string) => string;

/** What is the same in every dialect: files and variables of this program, and the names of its commands. */
const kept = /(?<![\w.:/~$-])(?:[~$]?\/|\$)\S*|(?<![\w./-])(?:orch|ctl)(?![\w/-]|\.\w)/g;

/**
 * A program as its help shows it to a user who spells product names as `spell` does: flags, words about them, and what
 * maps know. Defaults and closed lists stay as they are: only the program knows which of them it spells.
 */
export function spellProgram(program: ProgramSpec, spell: Spell): ProgramSpec {
  const prose = (text: string): string => spellProse(text, spell);
  return {
    ...program,
    name: prose(program.name),
    summary: prose(program.summary),
    ...(program.description && { description: program.description.map(prose) }),
    options: program.options.map((option) => spellOption(option, spell)),
    ...(program.examples && {
      examples: program.examples.map(({ command, does }) => ({ command: prose(command), does: prose(does) })),
    }),
  };
}

function spellOption(option: OptionSpec, spell: Spell): OptionSpec {
  const { name, help, choices, deprecated } = option;
  return {
    ...option,
    name: spell(name),
    help: spellProse(help, spell),
    ...(choices && { choices: choices.map(spell) }),
    ...(deprecated !== undefined && { deprecated: spellProse(deprecated, spell) }),
  };
}

function spellProse(text: string, spell: Spell): string {
  let spelled = '';
  let end = 0;
  for (const { 0: match, index } of text.matchAll(kept)) {
    spelled += spell(text.slice(end, index)) + match;
    end = index + match.length;
  }
  return spelled + spell(text.slice(end));
}
