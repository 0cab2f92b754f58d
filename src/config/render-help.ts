import { explanation, flagText, optionsBySection } from './option-text.ts';
import type { OptionSpec, ProgramSpec } from './options.ts';

const columns = 100;

/** The text of `--help`: usage, description, commands, options by section, examples. */
export function renderHelp(program: ProgramSpec): string {
  const blocks = [
    `${program.summary}.`,
    `Usage:\n  ${program.name} ${program.usage ?? '[flags]'}`,
    ...(program.description ?? []).map((paragraph) => wrap(paragraph, columns, 0)),
    ...renderCommands(program),
    ...[...optionsBySection(program.options)].map(
      ([section, options]) => `${section}:\n${options.map(renderEntry).join('\n')}`,
    ),
    ...renderExamples(program),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderCommands({ commands = [] }: ProgramSpec): string[] {
  if (commands.length === 0) return [];
  const width = Math.max(...commands.map((command) => lastWord(command.name).length));
  const lines = commands.map((command) => `  ${lastWord(command.name).padEnd(width)}  ${command.summary}`);
  return [`Commands:\n${lines.join('\n')}`];
}

function renderExamples({ examples = [] }: ProgramSpec): string[] {
  if (examples.length === 0) return [];
  return [`Examples:\n${examples.map(({ command, does }) => `  # ${does}\n  ${command}`).join('\n\n')}`];
}

function renderEntry(option: OptionSpec): string {
  const choices = (option.choices ?? []).map((choice) => `\n${' '.repeat(8)}${choice}`);
  return `  ${flagText(option)}\n${wrap(explanation(option), columns, 6)}${choices.join('')}`;
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}

/** Breaks a paragraph into lines of at most `width` columns, each indented by `indent` spaces. */
function wrap(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].map((entry) => ' '.repeat(indent) + entry).join('\n');
}
