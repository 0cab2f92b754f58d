import { type Dialect, orchDialect } from '../../machinery/dialect.ts';

/** Something that keeps the agent from starting. */
export interface AgentProblem {
  /** Release 1.20's sentence, where it has one. */
  readonly text: string;
  /** Flags and fields that it is about, as they are written. */
  readonly names: readonly string[];
  /** What to do about it, when the text does not say. */
  readonly advice?: string;
  /** Without an API server, to which the value would be told, it is only worth a warning. */
  readonly isForServerOnly?: boolean;
  /** The command line could not be read at all: a user wants to see how it is used. */
  readonly isUsage?: boolean;
  /** The configuration file could not be read; nothing was said of its values. */
  readonly isFile?: boolean;
}

/** The agent's configuration is wrong; it holds all problems that were found. */
export class AgentOptionsError extends Error {
  override readonly name = 'AgentOptionsError';
  readonly problems: readonly AgentProblem[];
  /** What was worth saying although the configuration is wrong. */
  readonly notices: readonly string[];
  /** How the user spells names; the first one when the command line does not say. */
  readonly dialect: Dialect;

  constructor(
    problems: readonly AgentProblem[],
    {
      notices = [],
      dialect = orchDialect,
    }: { readonly notices?: readonly string[]; readonly dialect?: Dialect } = {},
  ) {
    super(problems.map(formatProblem).join('\n'));
    this.problems = problems;
    this.notices = notices;
    this.dialect = dialect;
  }
}

/** The sentence with the names that it leaves out, and with the advice. */
export function formatProblem({ text, names, advice }: AgentProblem): string {
  const missing = names.filter((name) => !text.includes(name));
  const note = [missing.join(', '), advice ?? ''].filter((part) => part !== '').join(': ');
  return note === '' ? text : `${text} (${note})`;
}
