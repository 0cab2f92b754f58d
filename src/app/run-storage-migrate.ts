import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countObjects } from '../base/index.ts';
import { type ConfigOf, OptionsError } from '../config/index.ts';
import { migrateOptions, migrateProgram } from '../config/maintenance/index.ts';
import { type CopyProgress, type CopyResult, copyStore } from '../storage/index.ts';
import { copyRules } from './copy-rules.ts';
import { exitCodes } from './exit-codes.ts';
import { type OpenedStore, openLocalStore, openOrMakeStore } from './local-maintenance.ts';
import type { ProgramIo } from './program-io.ts';
import { startProgressLine } from './progress-line.ts';
import { readCommand } from './read-command.ts';
import { removeDatabase } from './remove-database.ts';
import { sqlitePath } from './serve-paths.ts';

type MigrateFlags = ConfigOf<typeof migrateOptions>;

/**
 * `orch storage migrate`: copies one store into another. Returns the exit code.
 * @throws OptionsError for a wrong command line; StorageError or CopyError that says why there is no copy
 */
export async function runStorageMigrate(
  argv: readonly string[],
  io: ProgramIo,
  signal: AbortSignal,
): Promise<number> {
  const command = await readCommand(argv, io, { program: migrateProgram, specs: migrateOptions });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  const { from, to } = readUrls(flags);
  const result = await migrate({ from, to, flags, io, signal });
  const { objectCount, sourceRevision, targetRevision } = result;
  const hasEvents = result.skipped.some((prefix) => prefix.endsWith('/events/'));
  if (flags.output === 'json') {
    const report = { from, to, objectCount, sourceRevision, targetRevision, leftOut: result.skipped };
    io.out(`${JSON.stringify(report, null, 2)}\n`);
    return exitCodes.success;
  }
  io.out(
    `copied and compared ${countObjects(objectCount)}: ${from} (revision ${sourceRevision}) to ${to} (revision ${targetRevision})\n`,
  );
  if (hasEvents) io.out('Events were left out; --with-events copies them into an empty store\n');
  return exitCodes.success;
}

interface Migration {
  readonly from: string;
  readonly to: string;
  readonly flags: MigrateFlags;
  readonly io: ProgramIo;
  readonly signal: AbortSignal;
}

async function migrate({ from, to, flags, io, signal }: Migration): Promise<CopyResult> {
  const etcd = flags;
  await using source = await openLocalStore({ url: from, dialect: flags.dialect, etcd });
  const targetFile = sqlitePath(to);
  const isNewFile = targetFile !== undefined && !(await isThere(targetFile));
  try {
    // A database remembers how product names are spelled in what is copied into it.
    await using target = await openOrMakeStore({ url: to, dialect: source.dialect, etcd });
    return await copy(source, target, { flags, io, signal });
  } catch (error) {
    if (isNewFile) await removeDatabase(targetFile);
    throw signal.aborted ? signal.reason : error;
  }
}

async function copy(
  source: OpenedStore,
  target: OpenedStore,
  { flags, io, signal }: Pick<Migration, 'flags' | 'io' | 'signal'>,
): Promise<CopyResult> {
  using progress = startProgressLine(io);
  return await copyStore(source.storage, target.storage, {
    ...copyRules({
      root: source.root,
      withEvents: flags.withEvents,
      eventTtlMs: flags.eventTtlMs,
    }),
    targetRoot: target.root,
    onProgress: (state) => progress.show(describe(state)),
    signal,
  });
}

function describe({ phase, done }: CopyProgress): string {
  if (phase === 'advance') return 'raising the revision counter';
  return `${phase === 'copy' ? 'copied' : 'compared'} ${countObjects(done)}`;
}

/** @throws OptionsError */
function readUrls({ from, to }: MigrateFlags): { readonly from: string; readonly to: string } {
  const problems = [...urlProblems('from', from), ...urlProblems('to', to)];
  if (problems.length === 0 && normalize(from) === normalize(to))
    problems.push('--from and --to are the same store');
  if (problems.length > 0 || from === undefined || to === undefined) throw new OptionsError(problems);
  return { from, to };
}

function urlProblems(name: string, url: string | undefined): string[] {
  if (url === undefined) return [`--${name} is missing: give sqlite:PATH or etcd:URL,URL`];
  return /^(sqlite|etcd):./.test(url) ? [] : [`--${name}=${url}: must be sqlite:PATH or etcd:URL,URL`];
}

function normalize(url: string | undefined): string | undefined {
  const path = url === undefined ? undefined : sqlitePath(url);
  return path === undefined ? url : `sqlite:${resolve(path)}`;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
