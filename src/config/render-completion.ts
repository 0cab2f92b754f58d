import { valuePlaceholder, visibleOptions } from './option-text.ts';
import type { OptionSpec, ProgramSpec } from './options.ts';
import { type CompletionShell, registerZsh, renderAskingCompletion } from './render-asking-completion.ts';

/** The shells, for help texts and argument checks. */
export const completionShells: readonly CompletionShell[] = ['bash', 'zsh', 'fish'];

/** A completion script for one program: with its subcommands and flags, or one that asks the program itself. */
export function renderCompletion(program: ProgramSpec, shell: CompletionShell): string {
  if (program.completesItself) return renderAskingCompletion(program.name, shell);
  const nodes = flatten(program, []);
  if (shell === 'bash') return renderBash(program.name, nodes);
  return shell === 'zsh' ? renderZsh(program.name, nodes) : renderFish(program.name, nodes);
}

/** A program or subcommand with the words that lead to it. */
interface Node {
  readonly path: readonly string[];
  readonly program: ProgramSpec;
}

function flatten(program: ProgramSpec, path: readonly string[]): Node[] {
  const below = (program.commands ?? []).flatMap((command) =>
    flatten(command, [...path, lastWord(command.name)]),
  );
  return [{ path, program }, ...below];
}

function renderBash(name: string, nodes: readonly Node[]): string {
  const cases = nodes.map(
    ({ path, program }) => `    ${quote(path.join(' '))}) words=${quote(wordsOf(program))} ;;`,
  );
  return `# bash completion for ${name}
_${name}_complete() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' words='' word next index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]}
    [[ $word == -* ]] && continue
    next="\${path:+$path }$word"
    case "$next" in
${indent(
  nodes.filter(({ path }) => path.length > 0).map(({ path }) => `${quote(path.join(' '))}) path=$next ;;`),
  6,
)}
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default
  elif [[ \${COMPREPLY[0]} == *= ]]; then
    compopt -o nospace
  fi
}
complete -F _${name}_complete ${name}
`;
}

function renderZsh(name: string, nodes: readonly Node[]): string {
  const cases = nodes.map(({ path, program }) => {
    const entries = [
      ...(program.commands ?? []).map((command) => `${lastWord(command.name)}:${command.summary}`),
      ...visibleOptions(program.options).map((option) => `--${option.name}:${option.help}`),
    ];
    return `    ${quote(path.join(' '))})\n      entries=(${entries.map((entry) => `\n        ${quote(entry)}`).join('')}\n      ) ;;`;
  });
  return `#compdef ${name}
_${name}() {
  local place='' word next
  local -a entries
  for word in \${words[2,CURRENT-1]}; do
    [[ $word == -* ]] && continue
    next="\${place:+$place }$word"
    case "$next" in
${indent(
  nodes.filter(({ path }) => path.length > 0).map(({ path }) => `${quote(path.join(' '))}) place=$next ;;`),
  6,
)}
    esac
  done
  case "$place" in
${cases.join('\n')}
  esac
  _describe -o '${name}' entries || _files
}
${registerZsh(name)}`;
}

function renderFish(name: string, nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, program }) => {
    const names = (program.commands ?? []).map((command) => lastWord(command.name));
    const seen = path.map((word) => `__fish_seen_subcommand_from ${word}`);
    const notBelow = names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(' ')}`] : [];
    const condition = [...seen, ...notBelow].join('; and ');
    const when = condition === '' ? '' : ` -n ${quote(condition)}`;
    return [
      ...(program.commands ?? []).map(
        (command) =>
          `complete -c ${name} -f${when} -a ${lastWord(command.name)} -d ${quote(command.summary)}`,
      ),
      ...visibleOptions(program.options).map((option) => `complete -c ${name}${when} ${fishFlag(option)}`),
    ];
  });
  return `# fish completion for ${name}\n${lines.join('\n')}\n`;
}

function fishFlag(option: OptionSpec): string {
  const short = option.short === undefined ? '' : `-s ${option.short} `;
  const offered = option.allowed ?? option.suggested;
  const values = offered === undefined ? '' : ` -xa ${quote(offered.join(' '))}`;
  const takesValue = valuePlaceholder(option) !== '' && values === '' ? ' -r' : '';
  return `${short}-l ${option.name}${takesValue}${values} -d ${quote(option.help)}`;
}

/** Subcommands, and flags with `=` where they take a value. */
function wordsOf(program: ProgramSpec): string {
  const names = (program.commands ?? []).map((command) => lastWord(command.name));
  return [...names, ...visibleOptions(program.options).map(flagWord)].join(' ');
}

/** A flag as it is completed: with `=` where a value must follow. */
export function flagWord(option: OptionSpec): string {
  const takesValue =
    valuePlaceholder(option) !== '' && option.impliedValue === undefined && option.type !== 'count';
  return `--${option.name}${takesValue ? '=' : ''}`;
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function indent(lines: readonly string[], spaces: number): string {
  return lines.map((line) => ' '.repeat(spaces) + line).join('\n');
}
