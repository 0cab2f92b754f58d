import { reportFailure } from './report-error.ts';

/** A command class as this entry needs it. */
interface CommandClass {
  run(argv: readonly string[]): Promise<unknown>;
}

/** Each command is loaded when it is called, so that none pays for the others. */
const commands: Readonly<Record<string, () => Promise<{ readonly default: CommandClass }>>> = {
  serve: () => import('../../commands/serve.ts'),
  nodeagent: () => import('../../commands/nodeagent.ts'),
  version: () => import('../../commands/version.ts'),
  completion: () => import('../../commands/completion.ts'),
  backup: () => import('../../commands/backup.ts'),
  restore: () => import('../../commands/restore.ts'),
  storage: () => import('../../commands/storage.ts'),
  'storage stats': () => import('../../commands/storage/stats.ts'),
  'storage check': () => import('../../commands/storage/check.ts'),
  'storage compact': () => import('../../commands/storage/compact.ts'),
  'storage migrate': () => import('../../commands/storage/migrate.ts'),
};

/** The client has its own commands, parsing and error texts; it goes straight to them, because it must be quick. */
async function runClient(argv: readonly string[]): Promise<void> {
  const { createProcessIo, runCtl } = await import('../ctl/index.ts');
  process.exitCode = await runCtl(argv, createProcessIo());
}

async function runOrch([name = '--help', ...rest]: readonly string[]): Promise<void> {
  if (name === 'ctl') return runClient(rest);
  if (name === '--version') return runOrch(['version', ...rest]);
  if (name === 'help' && rest.length > 0) return runOrch([...rest, '--help']);
  const command = findCommand([name, ...rest]);
  if (command !== undefined) return void (await (await command.load()).default.run(command.argv));
  const { runOverview } = await import('./run-overview.ts');
  process.exitCode = await runOverview(name);
}

/** The command of most words that a command line begins with, and the rest of the line. */
function findCommand([first = '', second = '', ...rest]: readonly string[]) {
  const argv = second === '' ? rest : [second, ...rest];
  return lookUp(`${first} ${second}`, rest) ?? lookUp(first, argv);
}

function lookUp(name: string, argv: readonly string[]) {
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  return load === undefined ? undefined : { name, load, argv };
}

/** Runs a program by its name and reports what goes wrong. */
async function main([program = 'orch', ...argv]: readonly string[]): Promise<void> {
  const command = ['orch', findCommand(argv)?.name].join(' ').trim();
  try {
    if (program === 'ctl') await runClient(argv);
    else await runOrch(program === 'nodeagent' ? ['nodeagent', ...argv] : argv);
  } catch (error) {
    const { text, exitCode } = reportFailure(program === 'orch' ? command : program, error);
    process.stderr.write(text);
    process.exitCode = exitCode;
  }
}

await main(process.argv.slice(2));
