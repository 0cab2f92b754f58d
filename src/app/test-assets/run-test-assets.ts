/** `orch test-assets`: folders of programs with which helpers of controller tests start an API server. */

import { chmod, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { makeDirectory } from '../../base/index.ts';
import { type OptionSpec, OptionsError, parseArguments } from '../../config/index.ts';
import { otherReferenceOptions, serveOptions } from '../../config/serve/index.ts';
import { createDialect, type Dialect } from '../../machinery/dialect.ts';
import { exitCodes } from '../exit-codes.ts';
import { findLaunchers } from '../find-launchers.ts';
import type { ProgramIo } from '../program-io.ts';
import { readCommand } from '../read-command.ts';
import { testAssetsOptions, testAssetsProgram } from './programs.ts';

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

/** The command line of a server, and flags of the reference that it does without. */
interface TestServerArguments {
  readonly argv: readonly string[];
  readonly ignored: readonly string[];
}

/** Those of `orch serve`, and those of the reference that do nothing there. */
const allOptions: readonly OptionSpec[] = [...serveOptions, ...otherReferenceOptions];

/** A store that is none, and a port that release 1.20 does not open either. */
const isIgnored = ({ name, withoutEffect, unsupported }: OptionSpec): boolean =>
  withoutEffect === true || unsupported === true || /^etcd-|^storage-backend$/.test(name);

/**
 * Turns the command line of the reference's server into that of `orch serve`: flags that do nothing here are taken out.
 *
 * @throws OptionsError for a port without TLS, which release 1.20 refuses too.
 */
export function testServerArguments(argv: readonly string[], dialect: Dialect): TestServerArguments {
  const options = new Map(allOptions.map((option) => [option.name, option]));
  const kept: string[] = [];
  const ignored: string[] = [];
  for (let at = 0; at < argv.length; at++) {
    // Helpers fill templates that may come to nothing; the reference passes over empty arguments, too.
    if (argv[at] === '') continue;
    const [, name = '', value] = /^--([^=]+)(?:=(.*))?$/s.exec(argv[at] ?? '') ?? [];
    const plain = name.replaceAll('_', '-');
    const option = options.get(plain) ?? options.get(dialect.unspell(plain));
    const isAlone = value !== undefined || option === undefined || option.type === 'bool';
    const words = argv.slice(at, isAlone ? at + 1 : at + 2);
    at += words.length - 1;
    if (option?.name === 'insecure-port') requireZero(value ?? words[1] ?? '');
    if (option !== undefined && isIgnored(option)) ignored.push(`--${name}`);
    else kept.push(...words);
  }
  return { argv: [...kept, `--dialect=${dialect.name}`, '--ephemeral', '--write-orchconfig=false'], ignored };
}

function requireZero(port: string): void {
  if (port === '0' || port === '') return;
  throw new OptionsError([
    `--insecure-port=${port}: only zero is allowed; the server is reached over TLS at --secure-port`,
  ]);
}
