import { copyFile, link, lstat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { countObjects, makeDirectory } from '../base/index.ts';
import { OptionsError } from '../config/index.ts';
import { restoreOptions, restoreProgram } from '../config/maintenance/index.ts';
import { StorageError } from '../storage/index.ts';
import { checkDatabase, restoreDatabase } from '../storage/sqlite/index.ts';
import { exitCodes } from './exit-codes.ts';
import type { ProgramIo } from './program-io.ts';
import { readCommand } from './read-command.ts';
import { removeDatabase } from './remove-database.ts';
import { databaseUrl, defaultDataDirectory, sqlitePath } from './serve-paths.ts';

type DialectName = 'orch' | 'kubernetes';

/**
 * `orch restore FILE`: makes a server's database from a backup. Returns the exit code.
 * @throws OptionsError for a wrong command line; StorageError or Error that says why nothing was restored
 */
export async function runRestore(argv: readonly string[], io: ProgramIo): Promise<number> {
  const command = await readCommand(argv, io, {
    program: restoreProgram,
    specs: restoreOptions,
    arguments: ['the FILE to restore'],
  });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  const from = resolve(command.arguments[0] ?? '');
  const to = targetPath(flags, io);
  const isReplaced = await isThere(to);
  if (isReplaced && !flags.force) {
    throw new Error(
      `${to} exists: give --force to replace it (it is kept beside the new one), or another --data-dir`,
    );
  }
  await requireSound(from);
  await makeDirectory(dirname(to));
  const dialect = flags.dialect ?? (isReplaced ? await dialectOf(to) : undefined);
  const kept = isReplaced ? await keep(to) : undefined;
  const result = await restoreDatabase({ from, to, dialect, overwrite: isReplaced }).catch(async (error) => {
    if (kept !== undefined) await removeDatabase(kept);
    throw explain(error);
  });
  if (flags.output === 'json') {
    io.out(`${JSON.stringify({ database: to, kept, ...result }, null, 2)}\n`);
  } else {
    const before = kept === undefined ? '' : `; what was there before is ${kept}`;
    io.out(
      `restored ${countObjects(result.objectCount)} to ${to}; revisions go on from ${result.revision}, the backup ends at ${result.backupRevision}${before}\n`,
    );
  }
  return exitCodes.success;
}

function targetPath(
  flags: { readonly storage: string | undefined; readonly dataDir: string | undefined },
  io: ProgramIo,
): string {
  const directory = resolve(flags.dataDir ?? (io.env.ORCH_DATA_DIR || defaultDataDirectory(io)));
  const path = sqlitePath(flags.storage ?? databaseUrl(directory));
  if (path !== undefined) return resolve(path);
  throw new OptionsError([
    '--storage: must be sqlite:PATH; orch storage migrate copies a backup to other stores',
  ]);
}

async function requireSound(backup: string): Promise<void> {
  const { findings } = await checkDatabase(backup).catch((error: unknown) => {
    throw error instanceof StorageError
      ? new StorageError(error.code, `backup ${backup}: ${error.message}`)
      : error;
  });
  if (findings.length > 0)
    throw new StorageError('corrupt', `backup ${backup} is damaged: ${findings.join('; ')}`);
}

/** The spelling that the database was made with; undefined when it is too damaged to say. */
async function dialectOf(path: string): Promise<DialectName | undefined> {
  try {
    const { dialect } = await checkDatabase(path);
    return dialect === 'kubernetes' ? 'kubernetes' : 'orch';
  } catch (error) {
    if (error instanceof StorageError && error.code === 'corrupt') return undefined;
    throw explain(error);
  }
}

/** Gives the database a second name before the first one goes to another. */
async function keep(path: string): Promise<string> {
  for (let number = 1; ; number++) {
    const kept = `${path}.before-restore-${number}`;
    if (await isThere(kept)) continue;
    // What a killed server left in its write-ahead log belongs to the database.
    for (const suffix of ['-wal', '']) {
      if (await isThere(path + suffix)) await linkOrCopy(path + suffix, kept + suffix);
    }
    return kept;
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  // Some file systems have no links.
  await link(from, to).catch(() => copyFile(from, to));
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}

function explain(error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.code === 'locked') {
    return new StorageError('locked', `${error.message}: stop the server first`, { cause: error });
  }
  if (error.code !== 'wrong-dialect') return error;
  const hint = 'restore into another --data-dir, and start the server with that --dialect';
  return new StorageError('wrong-dialect', `${error.message}: ${hint}`, { cause: error });
}
