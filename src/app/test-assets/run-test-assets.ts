import { chmod, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../base/index.ts';
import { parseArguments } from '../../config/index.ts';
import { createDialect } from '../../machinery/dialect.ts';
import { exitCodes } from '../exit-codes.ts';

import { findLaunchers } from '../find-launchers.ts';
import type { ProgramIo } from '../program-io.ts';
import { readCommand } from '../read-command.ts';
import { testAssetsOptions, testAssetsProgram } from './programs.ts';
import { allOptions, testServerArguments } from './server-arguments.ts';

/** Whoever starts these expects the names of that dialect. */
const dialect = createDialect('kubernetes');

/** `orch test-assets DIR`: writes the launchers. Returns the exit code. @throws OptionsError for a wrong command line */
export async function runTestAssets(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, {
    program: testAssetsProgram,
    specs: testAssetsOptions,
    arguments: ['the DIR to write'],
  });
  if (command === undefined) return exitCodes.success;
  const folder = resolve(command.arguments[0] ?? '');
  await makeDirectory(folder);
  const programs = {
    [dialect.spell('orch-apiserver')]: 'orch test-assets server',
    etcd: 'orch test-assets store',
    [dialect.spell('ctl')]: 'ctl',
  };
  for (const [name, line] of Object.entries(programs)) await writeLauncher(join(folder, name), line);
  io.out(`wrote ${Object.keys(programs).join(', ')} to ${folder}\n`);
  return exitCodes.success;
}

async function writeLauncher(path: string, line: string): Promise<void> {
  const [program = '', ...words] = line.split(' ');
  const command = [quoteForShell(join(findLaunchers(), program)), ...words].join(' ');
  const text = `#!/bin/sh\nexport ORCH_DIALECT=\${ORCH_DIALECT-${dialect.name}}\nexec ${command} "$@"\n`;
  await writeFile(path, text);
  await chmod(path, 0o755);
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `orch test-assets server`: `orch serve` for a command line of the reference. Returns the exit code. */
export async function runTestServer(
  argv: readonly string[],
  io: ProgramIo,
  serve: (argv: readonly string[], io: ProgramIo) => Promise<number>,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h'))
    return serve([`--dialect=${dialect.name}`, '--help'], io);
  const server = testServerArguments(argv, dialect);
  const { values } = parseArguments(allOptions, server.argv, {
    translateName: (name) => dialect.unspell(name),
  });
  if (Number(values.v ?? 0) >= 2) for (const flag of server.ignored) io.err(`flag ignored: ${flag}\n`);
  return serve(server.argv, io);
}
