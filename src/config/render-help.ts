import { type Colours, plainColours } from './colours.ts';
import { explanation, flagText, optionsBySection } from './option-text.ts';
import type { OptionSpec, ProgramSpec } from './options.ts';

/** How help is written. */
export interface HelpStyle {
  /** Headings and flags stand out on a terminal. */
  readonly colours?: Pick<Colours, 'heading' | 'flag'>;
  /** Width of a line; between 40 and 100 columns are used. */
  readonly columns?: number | undefined;
}

interface Paint extends Pick<Colours, 'heading' | 'flag'> {
  readonly columns: number;
}

const mostColumns = 100;
const fewestColumns = 40;

/** The text of `--help`: usage, description, commands, options by section, examples. */
export function renderHelp(program: ProgramSpec, style: HelpStyle = {}): string {
  const { colours = plainColours, columns = mostColumns } = style;
  const paint: Paint = { ...colours, columns: Math.min(mostColumns, Math.max(fewestColumns, columns)) };
  const blocks = [
    `${program.summary}.`,
    `${paint.heading('Usage:')}\n  ${program.name} ${program.usage ?? '[flags]'}`,
    ...(program.description ?? []).map((paragraph) => wrap(paragraph, paint.columns, 0)),
    ...renderCommands(program, paint),
    ...[...optionsBySection(program.options)].map(
      ([section, options]) =>
        `${paint.heading(`${section}:`)}\n${options.map((option) => renderEntry(option, paint)).join('\n')}`,
    ),
    ...renderExamples(program, paint),
    ...(program.helpNotes === undefined ? [] : [program.helpNotes.join('\n')]),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderCommands({ commands = [] }: ProgramSpec, paint: Paint): string[] {
  if (commands.length === 0) return [];
  const width = Math.max(...commands.map((command) => lastWord(command.name).length));
  const lines = commands.map((command) => `  ${lastWord(command.name).padEnd(width)}  ${command.summary}`);
  return [`${paint.heading('Commands:')}\n${lines.join('\n')}`];
}

function renderExamples({ examples = [] }: ProgramSpec, paint: Paint): string[] {
  if (examples.length === 0) return [];
  const entries = examples.map(({ command, does }) => `  # ${does}\n  ${command}`);
  return [`${paint.heading('Examples:')}\n${entries.join('\n\n')}`];
}

function renderEntry(option: OptionSpec, paint: Paint): string {
  const choices = (option.choices ?? []).map((choice) => `\n${' '.repeat(8)}${choice}`);
  return `  ${paint.flag(flagText(option))}\n${wrap(explanation(option), paint.columns, 6)}${choices.join('')}`;
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
