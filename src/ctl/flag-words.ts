import {
  configKey,
  goPhrases,
  layerConfig,
  type OptionRecord,
  type OptionSpec,
  OptionsError,
  type PhraseBook,
  readArguments,
} from '../config/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { translateName } from './find-verb.ts';
import type { CtlIo } from './io.ts';
import { globalOptions } from './options/global.ts';
import { type SetupInputs, setUpServer } from './server-setup.ts';

/**
 * Reads a command line. What is wrong with a flag's value is told in the words of release 1.20's client where its dialect is
 * spoken; that is looked up only then, without asking a server.
 *
 * @throws OptionsError as `read` does
 */
export async function readInWordsOfServer<T>(
  io: CtlIo,
  argv: readonly string[],
  read: (phrases?: PhraseBook) => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof OptionsError)) throw error;
    const dialect = await likelyDialect(io, argv);
    if (dialect?.name !== 'kubernetes') throw error;
    return read(goPhrases);
  }
}

/** Flags whose ranges release 1.20's client leaves to whoever gets the number. */
const rangesOfServers: ReadonlySet<string> = new Set(['chunk-size', 'node-port', 'port', 'replicas']);

/** Options as those who speak in the words of the release read them. */
export const optionsInWords = (
  specs: readonly OptionSpec[],
  phrases: PhraseBook | undefined,
): readonly OptionSpec[] =>
  phrases === undefined
    ? specs
    : specs.map((spec) => {
        const { min: _min, max: _max, ...rest } = spec;
        return rangesOfServers.has(spec.name) ? rest : spec;
      });

/**
 * The dialect, as far as the flags that can be read, the configuration and what is kept of the server tell it; undefined
 * when the environment itself is at fault.
 */
async function likelyDialect(io: CtlIo, argv: readonly string[]): Promise<Dialect | undefined> {
  const { values } = readArguments(globalOptions, argv, { translateName });
  let flags: SetupInputs['flags'];
  try {
    flags = layerConfig({ specs: globalOptions, argv: [], env: io.env }).config;
  } catch (error) {
    if (error instanceof OptionsError) return undefined;
    throw error;
  }
  const given: OptionRecord = {};
  for (const option of globalOptions) {
    if (values[option.name] !== undefined) given[configKey(option)] = values[option.name];
  }
  // Each value was read by the option of its own key.
  const known = { ...flags, ...given } as SetupInputs['flags'];
  return (await setUpServer({ io, flags: known, effort: 'kept' })).dialect;
}
