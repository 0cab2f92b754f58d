import type { ProgramIo } from '../program-io.ts';

/** `ctl`. The client has its own commands, parsing and error texts; it goes straight to them, because it must be quick. */
export async function runClient(argv: readonly string[], io: ProgramIo): Promise<number> {
  if (argv[0] === '--version') return (await import('../run-version.ts')).runVersion(argv.slice(1), io);
  const { createProcessIo, runCtl } = await import('../../ctl/index.ts');
  return runCtl(argv, createProcessIo());
}
