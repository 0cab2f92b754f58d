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
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) return void (await (await load()).default.run(rest));
  const { runOverview } = await import('./run-overview.ts');
  process.exitCode = await runOverview(name);
}

/** Runs a program by its name and reports what goes wrong. */
async function main([program = 'orch', ...argv]: readonly string[]): Promise<void> {
  const command = argv[0] !== undefined && Object.hasOwn(commands, argv[0]) ? `orch ${argv[0]}` : 'orch';
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
