import { explanation, optionsBySection, valuePlaceholder } from './option-text.ts';
import type { OptionSpec, ProgramSpec } from './options.ts';

/** Exit codes of programs that say nothing else. */
const usualExitStatus = [
  ['0', 'success'],
  ['1', 'the command failed'],
  ['2', 'the command line or configuration is wrong'],
] as const;

/** A page of the manual. */
export interface ManPage {
  /** Name of its file: `ctl-get.1`. */
  readonly file: string;
  /** Roff (man macros). */
  readonly text: string;
}

/** The manual of a program: a page for itself and one for each of its commands, from the same table as `--help`. */
export function renderManual(program: ProgramSpec, version: string): ManPage[] {
  return renderBelow(program, { version, manualSection: program.manualSection ?? 1 });
}

/** What the page of a command takes from its program. */
interface Inherited {
  readonly version: string;
  readonly manualSection: 1 | 8;
  readonly parent?: string;
}

function renderBelow(program: ProgramSpec, inherited: Inherited): ManPage[] {
  const page = pageName(program);
  const { commands = [] } = program;
  return [
    { file: `${page}.${inherited.manualSection}`, text: renderManPage(program, inherited) },
    ...commands.flatMap((command) => renderBelow(command, { ...inherited, parent: page })),
  ];
}

const pageName = ({ name }: Pick<ProgramSpec, 'name'>): string => name.replaceAll(' ', '-');

function renderManPage(program: ProgramSpec, { version, manualSection: number, parent }: Inherited): string {
  const page = pageName(program);
  const seeAlso = [
    ...(program.seeAlso ?? []),
    ...(parent === undefined ? [] : [`${parent}(${number})`]),
    ...(program.commands ?? []).map((command) => `${pageName(command)}(${number})`),
  ];
  return [
    `.TH "${roff(page.toUpperCase())}" "${number}" "" "orch ${version}" "orch manual"`,
    // Long flags would leave wide gaps between words.
    '.ad l',
    '.SH NAME',
    `${roff(page)} \\- ${roff(program.summary)}`,
    '.SH SYNOPSIS',
    `.B ${roff(program.name)}`,
    ...[program.usage ?? '[flags]'].filter((usage) => usage !== '').map(roff),
    ...section('DESCRIPTION', (program.description ?? [`${program.summary}.`]).flatMap(paragraph)),
    ...section(
      'COMMANDS',
      (program.commands ?? []).flatMap(({ name, usage = '[flags]', summary }) =>
        tagged(bold(`${name} ${usage}`.trimEnd()), summary),
      ),
    ),
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
    ...section('SEE ALSO', seeAlso.length === 0 ? [] : [roff([...new Set(seeAlso)].join(', '))]),
    '',
  ].join('\n');
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
