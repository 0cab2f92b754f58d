import {
  type OptionSpec,
  type ParsedArguments,
  type ParseOptions,
  type PhraseBook,
  parseArguments,
} from '../config/index.ts';
import { createDialect } from '../machinery/dialect.ts';
import { globalOptions } from './options/global.ts';
import type { Verb } from './verb.ts';

/** Reads a command line against a table, as `parseArguments` or more leniently. */
export type Reader = (
  specs: readonly OptionSpec[],
  argv: readonly string[],
  options: ParseOptions,
) => ParsedArguments;

/** Reads a command line and tells of its faults in these words. */
export const readerOf =
  (phrases: PhraseBook | undefined): Reader =>
  (specs, argv, options) =>
    parseArguments(specs, argv, { ...options, phrases });

/** The options of a verb and those of all verbs. */
export function optionsOf(verb: Verb): readonly OptionSpec[] {
  const own = new Set(verb.program.options.map((option) => option.name));
  // A verb may have a flag of its own in place of one of all verbs; it has another key then.
  return [...verb.program.options, ...globalOptions.filter((option) => !own.has(option.name))];
}

/** Goes down to the subverb that the arguments name, if there is one. */
export async function chooseSubverb(
  verb: Verb,
  name: string,
  argv: readonly string[],
  read: Reader = parseArguments,
): Promise<{ verb: Verb; name: string; argv: readonly string[] }> {
  if (verb.subverbs === undefined) return { verb, name, argv };
  const { before, first, after } = splitAtPositional([...verb.program.options, ...globalOptions], argv, read);
  const load = first !== undefined && Object.hasOwn(verb.subverbs, first) ? verb.subverbs[first] : undefined;
  if (load === undefined) return { verb, name, argv };
  return chooseSubverb(await load(), `${name} ${first}`, [...before, ...after], read);
}

/** What stands before the first word that is no flag or value of one, that word, and what follows it. */
export function splitAtPositional(
  specs: readonly OptionSpec[],
  argv: readonly string[],
  read: Reader = parseArguments,
) {
  const { positionals } = readUntilPositional(specs, argv, read);
  const at = argv.length - positionals.length;
  return { before: argv.slice(0, at), first: positionals[0], after: argv.slice(at + 1) };
}

function readUntilPositional(specs: readonly OptionSpec[], argv: readonly string[], read: Reader) {
  if (argv[0] !== undefined && !argv[0].startsWith('-')) return { positionals: argv };
  return read(specs, argv, { stopAtPositional: true, translateName });
}

/** Names of flags may be spelt as the other dialect does. */
export const translateName = (flag: string): string =>
  flag.endsWith('config') ? createDialect('kubernetes').unspell(flag) : flag;

/** Whether a command line has a flag with a value; it may be one that nobody can read otherwise. */
export function hasFlag(argv: readonly string[], flag: string, value: string): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some(
    (word, index) => word === `${flag}=${value}` || (word === flag && words[index + 1] === value),
  );
}
