import { type FoundCommand, findCommand } from './commands.ts';
import { processIo } from './program-io.ts';
import { runMain } from './run-main.ts';

/** Known commands take the short way; oclif, which is slower, runs the rest. */
async function runOrch(argv: readonly string[], command: FoundCommand | undefined): Promise<number> {
  const io = processIo();
  if (command !== undefined && !isPluginsMatter(command)) return command.run(command.argv, io);
  const [name = '--help', ...rest] = argv;
  if (name === '--version') return runOrch(['version', ...rest], findCommand(['version', ...rest]));
  if (name.startsWith('-') || (name === 'help' && rest.length === 0))
    return (await import('./run-overview.ts')).runOverview(name, io);
  return (await import('./oclif/run-oclif.ts')).runOclif(argv, io);
}

/** A plugin may have added the command that follows the name of a group, such as `storage`. */
function isPluginsMatter({ name, argv: [word = '-'] }: FoundCommand): boolean {
  return (name === 'storage' || name === 'plugins') && !word.startsWith('-') && word !== 'help';
}

/** Runs a program by its name. */
async function main([program = 'orch', ...argv]: readonly string[]): Promise<void> {
  const line = program === 'orch' ? argv : [program, ...argv];
  const command = findCommand(line);
  const title = program === 'orch' ? ['orch', command?.name].join(' ').trim() : program;
  await runMain(title, () => runOrch(line, command));
}

await main(process.argv.slice(2));
