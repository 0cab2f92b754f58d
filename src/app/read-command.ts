import {
  type ConfigKeys,
  type ConfigOf,
  type KeySet,
  layerConfig,
  type OptionSpec,
  OptionsError,
  type ProgramSpec,
} from '../config/index.ts';
import { printHelp } from './print-help.ts';
import type { ProgramIo } from './program-io.ts';

export interface CommandShape<S extends readonly OptionSpec[]> {
  readonly program: ProgramSpec;
  readonly specs: S;
  /** What the arguments are, by the names that the usage has for them. */
  readonly arguments?: readonly string[];
}

/** A command line that was read. */
export interface ReadCommand<S extends readonly OptionSpec[]> {
  readonly flags: ConfigOf<S>;
  readonly arguments: readonly string[];
  /** Keys of the flags that somebody set. */
  readonly given: KeySet<ConfigKeys<S>>;
}

/**
 * Reads the command line of a command with a fixed number of arguments. Undefined when it asked for help, which is then
 * printed.
 *
 * @throws OptionsError with all that is wrong with it.
 */
export async function readCommand<const S extends readonly OptionSpec[]>(
  argv: readonly string[],
  io: ProgramIo,
  { program, specs, arguments: names = [] }: CommandShape<S>,
): Promise<ReadCommand<S> | undefined> {
  if (argv.some((word) => word === '--help' || word === '-h')) {
    await printHelp(program, io);
    return undefined;
  }
  const { config, positionals, given } = layerConfig({ specs, argv, env: io.env });
  const missing = names[positionals.length];
  if (missing !== undefined) throw new OptionsError([`give ${missing}`]);
  const extra = positionals[names.length];
  if (extra !== undefined) throw new OptionsError([`unexpected argument ${JSON.stringify(extra)}`]);
  return { flags: config, arguments: positionals, given };
}
