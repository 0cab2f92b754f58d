import type { ConfigKeys, ConfigOf, KeySet, OptionSpec, ProgramSpec } from '../config/index.ts';
import type { Ctl } from './ctl.ts';
import { NoCommandError, UsageError } from './errors.ts';
import type { GlobalOptions } from './options/global.ts';

/** A command line after parsing. */
export interface VerbCall<S extends readonly OptionSpec[] = readonly OptionSpec[]> {
  readonly options: ConfigOf<S>;
  /** Keys of the options that somebody set, those of every command included. */
  readonly given: KeySet<ConfigKeys<S> | ConfigKeys<GlobalOptions>>;
  /** What is not a flag, in order, without the verb. */
  readonly args: readonly string[];
  /** How many of them stand before `--`; undefined when it is not there. */
  readonly dashesAt?: number | undefined;
}

/** One command: how it is described, and what it does. */
export interface Verb<S extends readonly OptionSpec[] = readonly OptionSpec[]> {
  readonly program: ProgramSpec & { readonly options: S };
  /** Commands below this one by name; the verb's own `run` serves the rest. */
  readonly subverbs?: Readonly<Record<string, () => Promise<Verb>>>;
  /** Exit code of failures other than `ExitError`; default 1. */
  readonly failureCode?: number;
  /** @throws ExitError to end with a code of its own; anything else that `formatError` can show. */
  run(ctl: Ctl, call: VerbCall<S>): Promise<void>;
}

/** `run` of a verb whose work is all in commands below it. @throws UsageError, since none of these was named */
export async function refuseToGuess(_ctl: Ctl, { args: [name] }: Pick<VerbCall, 'args'>): Promise<never> {
  throw name === undefined ? new NoCommandError() : new UsageError(`unknown command ${JSON.stringify(name)}`);
}

/** Ties a verb's option table to the type of what `run` is given. */
export function defineVerb<const S extends readonly OptionSpec[]>(verb: Verb<S>): Verb {
  // A caller cannot hand over other options: `runCtl` parses them from this same table.
  return verb as unknown as Verb;
}
