import type { ProgramIo } from './program-io.ts';

/** Runs a command on its part of the command line; gives the exit code. */
export type RunCommand = (argv: readonly string[], io: ProgramIo) => Promise<number> | number;

/**
 * The commands of `orch` by the words that call them. Each is loaded when it is called, so that none pays for the others;
 * how they are described is in their programs (`orch-program.ts`).
 */
export const commands: Readonly<Record<string, RunCommand>> = {
  serve: runServeCommand,
  up: async (argv, io) => {
    const [{ runUp }, { untilStopSignal }] = await Promise.all([
      import('./up/run-up.ts'),
      import('./stop-signals.ts'),
    ]);
    return runUp(argv, io, untilStopSignal);
  },
  down: async (argv, io) => (await import('./up/run-down.ts')).runDown(argv, io),
  nodeagent: async (argv, io) => (await import('./run-node-agent.ts')).runNodeAgent(argv, io),
  ctl: async (argv, io) => (await import('./client/run-client.ts')).runClient(argv, io),
  version: async (argv, io) => (await import('./run-version.ts')).runVersion(argv, io),
  completion: async (argv, io) => (await import('./run-completion.ts')).runCompletion(argv, io),
  backup: async (argv, io) => (await import('./run-backup.ts')).runBackup(argv, io, await interrupt()),
  restore: async (argv, io) => (await import('./run-restore.ts')).runRestore(argv, io),
  storage: async (argv, io) => (await import('./run-group.ts')).runStorage(argv, io),
  'storage stats': async (argv, io) => (await import('./run-storage.ts')).runStorageStats(argv, io),
  'storage check': async (argv, io) =>
    (await import('./run-storage.ts')).runStorageCheck(argv, io, await interrupt()),
  'storage compact': async (argv, io) => (await import('./run-storage.ts')).runStorageCompact(argv, io),
  'storage migrate': async (argv, io) =>
    (await import('./run-storage-migrate.ts')).runStorageMigrate(argv, io, await interrupt()),
  user: async (argv, io) => (await import('./run-group.ts')).runUser(argv, io),
  'user add': async (argv, io) => (await import('./run-user-add.ts')).runUserAdd(argv, io),
  token: async (argv, io) => (await import('./run-group.ts')).runToken(argv, io),
  'token create': async (argv, io) => (await import('./run-token-create.ts')).runTokenCreate(argv, io),
  'test-assets': async (argv, io) =>
    (await import('./test-assets/run-test-assets.ts')).runTestAssets(argv, io),
  'test-assets server': async (argv, io) => {
    const { runTestServer } = await import('./test-assets/run-test-assets.ts');
    return runTestServer(argv, io, runServeCommand);
  },
  'test-assets store': async (argv, io) => {
    const [{ runTestStore }, { untilStopSignal }] = await Promise.all([
      import('./test-assets/run-test-store.ts'),
      import('./stop-signals.ts'),
    ]);
    return runTestStore(argv, io, untilStopSignal);
  },
  plugins: async (argv, io) => (await import('./run-group.ts')).runPlugins(argv, io),
  'plugins list': async (argv, io) => (await import('./oclif/run-plugins.ts')).runPluginsList(argv, io),
  'plugins link': async (argv, io) => (await import('./oclif/run-plugins.ts')).runPluginsLink(argv, io),
  'plugins unlink': async (argv, io) => (await import('./oclif/run-plugins.ts')).runPluginsUnlink(argv, io),
};

async function runServeCommand(argv: readonly string[], io: ProgramIo): Promise<number> {
  const [{ runServe }, { untilStopSignal }] = await Promise.all([
    import('./run-serve.ts'),
    import('./stop-signals.ts'),
  ]);
  return runServe(argv, {
    io,
    // The server is loaded once the command line has proved right, so that help and errors come at once.
    start: async (options) => (await import('./start-server.ts')).startServer(options),
    untilStopped: untilStopSignal,
  });
}

async function interrupt(): Promise<AbortSignal> {
  return (await import('./stop-signals.ts')).interruptSignal();
}

/** A command with its part of the command line. */
export interface FoundCommand {
  /** The words that call it. */
  readonly name: string;
  readonly run: RunCommand;
  readonly argv: readonly string[];
}

/** The command of most words that a command line begins with. */
export function findCommand([first = '', second = '', ...rest]: readonly string[]): FoundCommand | undefined {
  const argv = second === '' ? rest : [second, ...rest];
  return lookUp(`${first} ${second}`, rest) ?? lookUp(first, argv);
}

function lookUp(name: string, argv: readonly string[]): FoundCommand | undefined {
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return run === undefined ? undefined : { name, run, argv };
}
