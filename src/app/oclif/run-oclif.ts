import type { Config } from '@oclif/core';
import { isJsonObject } from '../../base/index.ts';
import { describeUnknown } from '../../config/index.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ProgramIo } from '../program-io.ts';
import { openOclif } from './open-oclif.ts';

/**
 * Has oclif run what is no command of orch: `help TOPIC`, and commands and hooks of plugins. For a word that nobody knows
 * it says what was likely meant. Returns the exit code; oclif itself ends the process when a plugin's command fails.
 */
export async function runOclif(argv: readonly string[], io: ProgramIo): Promise<number> {
  const config = await openOclif();
  const isHelp = argv[0] === 'help';
  const words = isHelp ? argv.slice(1) : argv;
  if (!isKnown(config, words)) return refuse(config, words, io);
  const [{ run }, { handle }, { flush }] = await Promise.all([
    import('@oclif/core/run'),
    import('@oclif/core/handle'),
    import('@oclif/core/flush'),
  ]);
  try {
    // oclif has a command for help in a plugin of its own only; the flag means the same.
    await run([...words, ...(isHelp ? ['--help'] : [])], config);
    await flush();
    return Number(process.exitCode ?? exitCodes.success);
  } catch (error) {
    // Failures of orch's own commands are told as elsewhere.
    if (!isOclifError(error)) throw error;
    await handle(error);
    return exitCodes.failure;
  }
}

/** Plugins have copies of oclif's classes of their own: its errors are known by their mark. */
function isOclifError(error: unknown): error is Error & { readonly oclif: { readonly exit?: number } } {
  return error instanceof Error && 'oclif' in error && isJsonObject(error.oclif);
}

function isKnown(config: Config, words: readonly string[]): boolean {
  const flagAt = words.findIndex((word) => word.startsWith('-'));
  const ids = words
    .slice(0, flagAt < 0 ? words.length : flagAt)
    .map((_, index, all) => all.slice(0, index + 1));
  return ids.some((id) => Boolean(config.findCommand(id.join(':')) ?? config.findTopic(id.join(':'))));
}

/** Plugins may know what to do with an unknown word: oclif has a hook for that. */
async function refuse(
  config: Config,
  [word = '', ...rest]: readonly string[],
  io: ProgramIo,
): Promise<number> {
  const { successes, failures } = await config.runHook('command_not_found', { argv: rest, id: word });
  if (successes.length > 0) return Number(process.exitCode ?? exitCodes.success);
  if (failures[0] !== undefined) throw failures[0].error;
  const names = new Set(config.commandIDs.map((id) => id.split(':')[0] ?? id));
  io.err(`orch: ${describeUnknown(word, names)}\nSee orch --help\n`);
  return exitCodes.usage;
}
