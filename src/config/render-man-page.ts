import { explanation, optionsBySection, valuePlaceholder } from './option-text.ts';
import type { OptionSpec, ProgramSpec } from './options.ts';

/** Exit codes of programs that say nothing else. */
const usualExitStatus = [
  ['0', 'success'],
  ['1', 'the command failed'],
  ['2', 'the command line or configuration is wrong'],
] as const;

/** A manual page in roff (man macros), from the same table as `--help`. */
export function renderManPage(program: ProgramSpec, version: string): string {
  const page = program.name.replaceAll(' ', '-');
  return [
    `.TH "${roff(page.toUpperCase())}" "${program.manualSection ?? 1}" "" "orch ${version}" "orch manual"`,
    '.SH NAME',
    `${roff(page)} \\- ${roff(program.summary)}`,
    '.SH SYNOPSIS',
    `.B ${roff(program.name)}`,
    roff(program.usage ?? '[flags]'),
    ...section('DESCRIPTION', (program.description ?? []).flatMap(paragraph)),
    ...section('COMMANDS', (program.commands ?? []).flatMap(renderCommand)),
    ...renderOptions(program.options),
    ...section(
      'EXAMPLES',
      (program.examples ?? []).flatMap(({ command, does }) => tagged(bold(command), does)),
    ),
    ...section(
      'FILES',
      (program.files ?? []).flatMap(({ path, what }) => tagged(italic(path), what)),
    ),
    ...section(
      'EXIT STATUS',
      (program.exitStatus ?? usualExitStatus).flatMap(([code, meaning]) => tagged(bold(code), meaning)),
    ),
    ...section('SEE ALSO', program.seeAlso === undefined ? [] : [roff(program.seeAlso.join(', '))]),
    '',
  ].join('\n');
}

function renderCommand(command: ProgramSpec): string[] {
  const options = [...optionsBySection(command.options).values()].flat();
  return [
    ...tagged(bold(`${command.name} ${command.usage ?? '[flags]'}`), command.summary),
    ...(options.length === 0 ? [] : ['.RS', ...options.flatMap(renderOption), '.RE']),
    ...(command.commands ?? []).flatMap(renderCommand),
  ];
}

function renderOptions(options: readonly OptionSpec[]): string[] {
  const sections = [...optionsBySection(options)];
  if (sections.length === 0) return [];
  return [
    '.SH OPTIONS',
    ...sections.flatMap(([name, entries]) => [`.SS ${roff(name)}`, ...entries.flatMap(renderOption)]),
  ];
}

function renderOption(option: OptionSpec): string[] {
  const short = option.short === undefined ? '' : `${bold(`-${option.short}`)}, `;
  const placeholder = valuePlaceholder(option);
  const value = placeholder === '' ? '' : `=${italic(placeholder)}`;
  const tag = `${short}${bold(`--${option.name}`)}${option.impliedValue === undefined ? value : `[${value}]`}`;
  const choices = (option.choices ?? []).flatMap((choice) => ['.br', roff(choice)]);
  return [...tagged(tag, explanation(option)), ...choices];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

function paragraph(text: string): string[] {
  return ['.PP', roff(text)];
}

/** `tag` is roff already, `text` is not. */
function tagged(tag: string, text: string): string[] {
  return ['.TP', tag, roff(text)];
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`;
}

function italic(text: string): string {
  return `\\fI${roff(text)}\\fR`;
}

/** Backslashes and leading dots mean something to roff, and a plain hyphen may come out as another character. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}
