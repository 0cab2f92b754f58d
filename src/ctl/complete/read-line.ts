import { type OptionRecord, type OptionSpec, plainPhrases, readArguments } from '../../config/index.ts';
import { chooseSubverb, optionsOf, splitAtPositional, translateName } from '../find-verb.ts';
import { globalOptions } from '../options/global.ts';
import type { Verb } from '../verb.ts';
import { verbs } from '../verbs.ts';

/** What the word under the cursor is. */
export type Slot =
  | { readonly kind: 'flag' }
  /** The value of a flag; `prefix` is what stands before it in the same word: `--output=`. */
  | { readonly kind: 'value'; readonly option: OptionSpec; readonly prefix: string }
  | { readonly kind: 'argument' }
  /** A word behind `--`, which is another program's. */
  | { readonly kind: 'foreign' };

/** A command line up to the cursor. */
export interface Line {
  readonly slot: Slot;
  /** What is typed of the word under the cursor. */
  readonly current: string;
  /** The command; undefined while none is typed. */
  readonly verb: Verb | undefined;
  /** Its name as in its help: `config use-context`. */
  readonly name: string;
  /** Whether `help` stands before it, which takes names of commands only. */
  readonly isHelp: boolean;
  readonly options: readonly OptionSpec[];
  readonly values: OptionRecord;
  /** Arguments before the cursor, without the command. */
  readonly args: readonly string[];
  /** Flags and arguments before the cursor, without the command and a flag whose value is at the cursor. */
  readonly argv: readonly string[];
}

/** Reads the words before the cursor and the one under it; undefined when the command is not known. */
export async function readLine(words: readonly string[], current: string): Promise<Line | undefined> {
  const { before, first, after } = splitAtPositional(globalOptions, words, readArguments);
  if (first === undefined) return place(undefined, words, current);
  if (first === 'help') {
    const line = await readLine(after, current);
    return line && { ...line, isHelp: true };
  }
  const load = Object.hasOwn(verbs, first) ? verbs[first]?.load : undefined;
  if (load === undefined) return undefined;
  const { verb, argv } = await chooseSubverb(await load(), first, after, readArguments);
  return place(verb, [...before, ...argv], current);
}

function place(verb: Verb | undefined, argv: readonly string[], current: string): Line {
  const options = verb === undefined ? globalOptions : optionsOf(verb);
  let awaiting: string | undefined;
  const missingValue = (written: string) => {
    awaiting = written;
    return written;
  };
  const read = readArguments(options, argv, { translateName, phrases: { ...plainPhrases, missingValue } });
  const line = {
    verb,
    name: verb?.program.name.replace(/^ctl /, '') ?? '',
    isHelp: false,
    options,
    values: read.values,
    args: read.positionals,
    argv: awaiting === undefined ? argv : argv.slice(0, -1),
  };
  if (awaiting !== undefined) {
    const option = findOption(options, awaiting);
    return { ...line, current, slot: option === undefined ? foreign : { kind: 'value', option, prefix: '' } };
  }
  return { ...line, current, slot: read.dashesAt === undefined ? readWord(options, current) : foreign };
}

const foreign: Slot = { kind: 'foreign' };

function readWord(options: readonly OptionSpec[], current: string): Slot {
  if (!current.startsWith('-')) return { kind: 'argument' };
  const [, prefix = '', written = ''] = /^((--[^=]+)=)/.exec(current) ?? /^((-[^-])=?)./.exec(current) ?? [];
  const option = written === '' ? undefined : findOption(options, written);
  if (option === undefined || (written.length === 2 && option.type === 'bool')) return { kind: 'flag' };
  return { kind: 'value', option, prefix };
}

function findOption(options: readonly OptionSpec[], written: string): OptionSpec | undefined {
  if (!written.startsWith('--')) return options.find(({ short }) => short === written.slice(1));
  const name = written.slice(2).replaceAll('_', '-');
  return options.find((option) => option.name === name || option.name === translateName(name));
}
