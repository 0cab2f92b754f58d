import {
  completeWord,
  layerConfig,
  loadColours,
  nearestName,
  OptionsError,
  type ProgramSpec,
} from '../config/index.ts';
import { describeCause } from './changes/change-cause.ts';
import { type Ctl, createCtl } from './ctl.ts';
import { CtlError, ExitError, NoCommandError, OutputError, UsageError } from './errors.ts';
import {
  chooseSubverb,
  hasFlag,
  optionsOf,
  readerOf,
  splitAtPositional,
  translateName,
} from './find-verb.ts';
import { optionsInWords, readInWordsOfServer } from './flag-words.ts';
import { formatError } from './format-error.ts';
import type { CtlIo } from './io.ts';
import { globalOptions } from './options/global.ts';
import { joinTemplate, readDryRun } from './options/shared.ts';
import { knownFormats, objectFormats, unknownFormat } from './printers/output-format.ts';
import { type SetupInputs, setUpServer } from './server-setup.ts';
import type { Verb } from './verb.ts';
import { verbs } from './verbs.ts';

/**
 * Runs one command line (without the program's name) and returns its exit code. Everything that goes wrong is
 * printed to stderr; nothing is thrown and the process is not ended.
 */
export async function runCtl(argv: readonly string[], io: CtlIo): Promise<number> {
  if (!hasFlag(argv, '--errors', 'json')) {
    return runLine(argv, io, (error, name) => io.stderr.write(formatFailure(error, name)));
  }
  const { createJsonErrors } = await import('./json-errors.ts');
  const errors = createJsonErrors(io);
  const code = await runLine(argv, errors.io, errors.print);
  errors.end();
  return code;
}

/** Prints a failure of a command; the name is empty when nobody knows which it is. */
type PrintFailure = (error: unknown, name: string) => void;

async function runLine(argv: readonly string[], io: CtlIo, print: PrintFailure): Promise<number> {
  let name = '';
  let failureCode = 1;
  const isForPrograms = hasFlag(argv, '--errors', 'json');
  try {
    if (argv[0] === completeWord)
      return await (await import('./complete/index.ts')).complete(argv.slice(1), io);
    const { before, first, after } = await readInWordsOfServer(io, argv, (phrases) =>
      splitAtPositional(globalOptions, argv, readerOf(phrases)),
    );
    if (first === undefined || first === 'help') return await showHelp(io, after);
    const entry = Object.hasOwn(verbs, first) ? verbs[first] : undefined;
    if (entry === undefined) return await runPlugin({ before, argv: [first, ...after] }, io);
    name = first;
    const load = await entry.load();
    const chosen = await readInWordsOfServer(io, argv, (phrases) =>
      chooseSubverb(load, first, after, readerOf(phrases)),
    );
    // By its own name, whichever of its names was typed.
    name = chosen.verb.program.name.replace(/^ctl /, '');
    failureCode = chosen.verb.failureCode ?? 1;
    return await runVerb(chosen.verb, [...before, ...chosen.argv], io, name);
  } catch (error) {
    if (error instanceof ExitError) {
      if (error.message !== '') print(error, name);
      return error.code;
    }
    if (error instanceof NoCommandError && !isForPrograms) {
      await showHelp({ ...io, stdout: io.stderr }, name.split(' '));
      return failureCode;
    }
    if (error instanceof OutputError) io.stdout.write(error.output);
    print(error, name);
    if (!hasFlag(argv, '--exit-codes', 'reason')) return failureCode;
    return (await import('./exit-codes.ts')).exitCodeOf(error);
  }
}

/** The client and all of its commands, for man pages and completion. What renders help is loaded for help only. */
export async function loadCtlProgram(): Promise<ProgramSpec> {
  return (await import('./help.ts')).describeCtl();
}

async function runVerb(verb: Verb, argv: readonly string[], io: CtlIo, name: string): Promise<number> {
  const specs = optionsOf(verb);
  const layered = await readInWordsOfServer(io, argv, (phrases) =>
    layerConfig({ specs: optionsInWords(specs, phrases), argv, env: io.env, translateName, phrases }),
  );
  if (layered.config.help === true) return showHelp(io, name.split(' '));
  for (const warning of [...layered.warnings, ...dryRunWarnings(layered.config)])
    io.stderr.write(`Warning: ${warning}\n`);
  // The table of specs ends with the global options, so their values are there with their types.
  const flags = layered.config as unknown as Parameters<typeof createCtl>[0]['flags'];
  const setup = await setUpServer({ io, flags, effort: effortOf(name, layered.config) });
  const { dialect, locations } = setup;
  if (locations.isForeign === true && io.stderr.isTerminal)
    io.stderr.write(`Using ${locations.files.join(', ')}: there is no ~/.orch/config\n`);
  const line = {
    command: `${dialect.spell('ctl')} ${name}`,
    typed: layered.typed,
    args: layered.positionals,
  };
  const ctl = createCtl({
    io,
    setup,
    flags,
    commands: Object.keys(verbs),
    changeCause: layered.config.record === true ? describeCause(line, dialect) : undefined,
  });
  try {
    const run = () =>
      verb.run(ctl, {
        options: readTemplateFlag(layered.config, name),
        given: layered.given,
        args: layered.positionals,
        dashesAt: layered.dashesAt,
      });
    if (flags.profile === 'cpu' || flags.profile === 'heap') {
      await (await import('./profile.ts')).withProfile(flags.profile, flags.profileOutput, run);
    } else await run();
    if (flags.warningsAsErrors) refuseWarnings(ctl);
    return 0;
  } finally {
    ctl.close();
  }
}

/** @throws CtlError when there were any; the release's client begins the line otherwise than all others */
function refuseWarnings({ warningCount, dialect }: Pick<Ctl, 'warningCount' | 'dialect'>): void {
  const count = warningCount();
  if (count === 0) return;
  const text = `${count} warning${count === 1 ? '' : 's'} received`;
  throw dialect.name === 'orch' ? new CtlError(text) : new ExitError(1, `Error: ${text}`);
}

/** How much a command may do to learn its server's dialect: those that ask no server must not wait for one. */
function effortOf(
  name: string,
  { local, client }: { readonly local?: unknown; readonly client?: unknown },
): SetupInputs['effort'] {
  const entry = verbs[name.split(' ')[0] ?? ''];
  if (entry?.isOffline === true || client === true) return 'none';
  return local === true ? 'kept' : 'ask';
}

/** What `--dry-run` says in a way that later releases do not know. @throws CtlError for what is no value of it */
function dryRunWarnings({ dryRun }: { readonly dryRun?: unknown }): readonly string[] {
  if (typeof dryRun !== 'string') return [];
  const strategy = readDryRun(dryRun);
  if (dryRun === 'unchanged') return ['--dry-run is deprecated and can be replaced with --dry-run=client.'];
  if (dryRun === strategy) return [];
  return [
    `--dry-run=${dryRun} is deprecated (boolean value) and can be replaced with --dry-run=${strategy}.`,
  ];
}

/** The options with `--template` brought into `-o`, for verbs that have both. @throws CtlError for two templates */
function readTemplateFlag<T extends { readonly output?: unknown; readonly template?: unknown }>(
  options: T,
  name: string,
): T {
  const { output, template } = options;
  if (typeof template !== 'string' || template === '') return options;
  const given = typeof output === 'string' ? output : '';
  const joined = joinTemplate(given, template);
  if (joined === undefined) throw unknownFormat(given, name === 'get' ? knownFormats : objectFormats);
  return { ...options, output: joined };
}

async function showHelp(io: CtlIo, names: readonly string[]): Promise<number> {
  const { renderCtlHelp } = await import('./help.ts');
  const colours = await loadColours({ isTerminal: io.stdout.isTerminal, env: io.env });
  io.stdout.write(
    await renderCtlHelp(
      names.filter((name) => !name.startsWith('-')),
      { colours },
    ),
  );
  return 0;
}

/** A program on PATH that serves as the command. @throws UsageError when there is none */
async function runPlugin(
  { before, argv }: { readonly before: readonly string[]; readonly argv: readonly string[] },
  io: CtlIo,
): Promise<number> {
  const { findPlugin } = await import('./plugins/index.ts');
  const plugin = findPlugin(argv, io.env);
  if (plugin === undefined) throw unknownVerb(argv[0] ?? '');
  if (before[0] !== undefined) throw new CtlError(`flags cannot be placed before plugin name: ${before[0]}`);
  const { runProgram } = await import('./external/run-program.ts');
  return runProgram(io, { command: plugin.path, args: plugin.args, isInteractive: false });
}

function unknownVerb(name: string): UsageError {
  const near = nearestName(name, Object.keys(verbs));
  const hint = near === undefined ? '' : `\n\nDid you mean this?\n\t${near}\n`;
  return new UsageError(`unknown command ${JSON.stringify(name)} for "ctl"${hint}`);
}

function formatFailure(error: unknown, name: string): string {
  if (error instanceof ExitError) return `${error.message}\n`;
  const command = name === '' ? 'ctl' : `ctl ${name}`;
  if (error instanceof OptionsError) {
    const text = error.problems.map((problem) => `Error: ${problem}\n`).join('');
    // What is missing says it all.
    if (error.problems.every((problem) => problem.startsWith('required flag(s)'))) return text;
    return `${text}See '${command} --help' for usage.\n`;
  }
  if (error instanceof UsageError) {
    const help = name === '' ? `Run 'ctl --help' for usage.` : `See '${command} -h' for help and examples`;
    return `error: ${error.message}\n${help}\n`;
  }
  return formatError(error);
}
