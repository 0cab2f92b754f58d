import { type AnyOptionValue, type OptionSpec, readArguments } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { parseFlagTexts } from './flag-values.ts';
import { type AgentOption, flagOptions, valueOption } from './option-table.ts';
import type { AgentProblem } from './problem.ts';

/** Flags of ours, which the reference does not have. */
export interface OwnFlags {
  readonly help: boolean;
  readonly printConfig: boolean;
  readonly strictConfig: boolean;
}

/** What a command line says. */
export interface AgentFlags {
  /** By key of the table. */
  readonly values: ReadonlyMap<string, AnyOptionValue>;
  /** Rows whose flags were given, aliases as themselves, in the order of the table. */
  readonly given: readonly AgentOption[];
  readonly own: OwnFlags;
  readonly problems: readonly AgentProblem[];
}

const ownNames = ['help', 'print-config', 'strict-config'] as const;

/** The table for the splitter of command lines: it keeps every text as it stands. */
const splitSpecs: readonly OptionSpec[] = [
  ...flagOptions.map((option) => ({
    name: option.flag,
    type: 'stringArray' as const,
    section: '',
    help: '',
    ...(option.short === undefined ? {} : { short: option.short }),
    ...(option.type === 'bool' || option.type === 'version' ? { impliedValue: 'true' } : {}),
  })),
  { name: 'help', short: 'h', type: 'bool', section: '', help: '' },
  { name: 'print-config', type: 'bool', section: '', help: '' },
  { name: 'strict-config', type: 'bool', section: '', help: '' },
  { name: 'dialect', type: 'stringArray', section: '', help: '' },
];

/** Reads the agent's command line; everything that is wrong with it is in `problems`. */
export function readAgentFlags(argv: readonly string[], dialect: Dialect): AgentFlags {
  const problems: AgentProblem[] = [];
  const split = splitArguments(argv, dialect, problems);
  const values = new Map<string, AnyOptionValue>();
  const given = flagOptions.filter((option) => split.given.has(option.flag));
  // An alias first, so that the proper name wins.
  for (const option of given.toSorted(
    (a, b) => Number(b.aliasOf !== undefined) - Number(a.aliasOf !== undefined),
  )) {
    const texts = split.values[option.flag];
    if (!Array.isArray(texts)) continue; // its value was missing, which is a problem already
    const parsed = parseFlagTexts(option, texts.map(String));
    if ('problem' in parsed) problems.push(usage(dialect.spell(parsed.problem), `--${option.flag}`));
    else values.set(valueOption(option).key, parsed.value);
  }
  for (const stray of split.positionals.slice(0, 1)) problems.push(usage(`unknown command: ${stray}`));
  const [help, printConfig, strictConfig] = ownNames.map((name) => split.values[name] === true);
  return {
    values,
    given,
    own: { help: help === true, printConfig: printConfig === true, strictConfig: strictConfig === true },
    problems,
  };
}

function splitArguments(argv: readonly string[], dialect: Dialect, problems: AgentProblem[]) {
  // The splitter gives its problems back as the same texts; those with more to them are kept here.
  const known = new Map<string, AgentProblem>();
  const phrase = (text: string, near?: string): string => {
    known.set(text, { ...usage(text), ...(near === undefined ? {} : { advice: `did you mean ${near}?` }) });
    return text;
  };
  const split = readArguments(splitSpecs, argv, {
    translateName: (name) => dialect.unspell(name),
    phrases: {
      unknownFlag: (written, near) => phrase(`unknown flag: ${written}`, near),
      unknownLetter: (letter, cluster, near) =>
        phrase(`unknown shorthand flag: '${letter}' in ${cluster}`, near),
      missingValue: (written) => phrase(`flag needs an argument: ${written}`),
    },
  });
  problems.push(...split.problems.map((text) => known.get(text) ?? usage(text)));
  return split;
}

function usage(text: string, ...names: readonly string[]): AgentProblem {
  return { text, names, isUsage: true };
}
