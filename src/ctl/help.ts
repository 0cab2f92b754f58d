import { type HelpStyle, type ProgramSpec, renderHelp } from '../config/index.ts';
import { globalOptions } from './options/global.ts';
import type { Verb } from './verb.ts';
import { verbs } from './verbs.ts';

/** Exit codes of commands that name no others. */
const exitStatus = [
  ['0', 'success'],
  ['1', 'the command failed, or the command line is wrong'],
] as const;

/** The client and all of its commands. Loads every command. */
export async function describeCtl(): Promise<ProgramSpec> {
  const commands = await Promise.all(Object.values(verbs).map(async ({ load }) => describe(await load())));
  return {
    name: 'ctl',
    summary: "The operator's client of an API server",
    usage: 'COMMAND [flags]',
    description: [
      'ctl shows and changes the resources of an API server: objects with a desired and an actual state.',
    ],
    options: globalOptions,
    commands,
    completesItself: true,
    examples: [
      { command: 'ctl get pods -A', does: 'list the pods of all namespaces' },
      { command: 'ctl apply -f ./app', does: 'bring everything that the files of a folder describe about' },
    ],
    files: [{ path: '~/.orch/config', what: 'servers, credentials and contexts' }],
    exitStatus,
    seeAlso: ['orch(1)'],
  };
}

/** Help of the client, or of the command that the names lead to. */
export async function renderCtlHelp(names: readonly string[], style: HelpStyle = {}): Promise<string> {
  const [first, ...rest] = names;
  const entry = first !== undefined && Object.hasOwn(verbs, first) ? verbs[first] : undefined;
  if (entry === undefined) return renderOverview(style);
  let verb = await entry.load();
  for (const name of rest) {
    const load =
      verb.subverbs !== undefined && Object.hasOwn(verb.subverbs, name) ? verb.subverbs[name] : undefined;
    if (load === undefined) break;
    verb = await load();
  }
  return renderHelp(ownHelp(await describe(verb)), style);
}

const sharedNote = 'Use "ctl options" for the flags that all commands have.';

/** Help is short: the flags that all commands have are told once, by `ctl options`. */
function ownHelp(program: ProgramSpec): ProgramSpec {
  const options = program.options.filter((option) => !globalOptions.some(({ name }) => name === option.name));
  return { ...program, options, helpNotes: [sharedNote] };
}

/** The overview names the commands without loading them. */
function renderOverview(style: HelpStyle): string {
  const program: ProgramSpec = {
    name: 'ctl',
    summary: "The operator's client of an API server",
    usage: 'COMMAND [flags]',
    options: [],
    helpNotes: [`Use "ctl COMMAND --help" for more about a command.`, sharedNote],
    commands: Object.entries(verbs).map(([name, { summary }]) => ({
      name: `ctl ${name}`,
      summary,
      options: [],
    })),
  };
  return renderHelp(program, style);
}

async function describe(verb: Verb): Promise<ProgramSpec> {
  const subverbs = await Promise.all(Object.values(verb.subverbs ?? {}).map((load) => load()));
  // Some have several names (`create cm`), of which help shows one.
  const commands = await Promise.all([...new Set(subverbs)].map(describe));
  return {
    ...verb.program,
    exitStatus: verb.program.exitStatus ?? exitStatus,
    options: [...verb.program.options, ...globalOptions],
    ...(commands.length === 0 ? {} : { commands }),
  };
}
