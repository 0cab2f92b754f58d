import { type AnyOptionValue, readArguments } from '../../config/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { agentOptionSpecs } from './option-specs.ts';
import { type AgentOption, flagOptions, valueOption } from './option-table.ts';
import { agentPhrases } from './phrases.ts';
import type { AgentProblem } from './problem.ts';

/** Flags of ours, which release 1.20 does not have. */
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

/** Reads the agent's command line; everything that is wrong with it is in `problems`. */
export function readAgentFlags(argv: readonly string[], dialect: Dialect): AgentFlags {
  const read = readArguments(agentOptionSpecs, argv, {
    translateName: (name) => dialect.unspell(name),
    phrases: agentPhrases,
  });
  const given = flagOptions.filter((option) => read.given.has(option.flag));
  const values = new Map<string, AnyOptionValue>();
  // An alias first, so that the proper name wins.
  for (const option of given.toSorted(
    (a, b) => Number(b.aliasOf !== undefined) - Number(a.aliasOf !== undefined),
  )) {
    const value = read.values[option.flag];
    if (value !== undefined) values.set(valueOption(option).key, value);
  }
  const usage = { names: [], isUsage: true };
  return {
    values,
    given,
    own: {
      help: read.values.help === true,
      printConfig: read.values['print-config'] === true,
      strictConfig: read.values['strict-config'] === true,
    },
    problems: [
      ...read.problems.map((problem) => ({ ...problem, text: dialect.spell(problem.text), ...usage })),
      ...read.positionals.slice(0, 1).map((stray) => ({ text: `unknown command: ${stray}`, ...usage })),
    ],
  };
}
