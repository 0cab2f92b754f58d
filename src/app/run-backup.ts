import { lstat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { countObjects, formatSize, renameDurably } from '../base/index.ts';
import { backupOptions, backupProgram } from '../config/maintenance/index.ts';
import type { DatabaseReport } from '../storage/sqlite/index.ts';
import { exitCodes } from './exit-codes.ts';
import { type FoundStore, findStore } from './find-store.ts';
import type { ProgramIo } from './program-io.ts';
import { startProgressLine } from './progress-line.ts';
import { readCommand } from './read-command.ts';
import { removeDatabase } from './remove-database.ts';

/**
 * `orch backup FILE`: makes a backup, checks it and gives it its name. Returns the exit code.
 * @throws OptionsError for a wrong command line, and whatever keeps the backup from being made; no file is left then
 */
export async function runBackup(
  argv: readonly string[],
  io: ProgramIo,
  signal: AbortSignal,
): Promise<number> {
  const command = await readCommand(argv, io, {
    program: backupProgram,
    specs: backupOptions,
    arguments: ['the FILE to write'],
  });
  if (command === undefined) return exitCodes.success;
  const { flags } = command;
  const file = resolve(command.arguments[0] ?? '');
  if (!flags.force && (await isThere(file))) {
    throw new Error(`${file} exists: give another name, or --force to replace it`);
  }
  using store = await findStore(flags, io);
  const report = await makeBackup(store, file, { io, signal });
  const { objectCount, revision, sizeBytes, dialect } = report;
  if (flags.output === 'json') {
    io.out(
      `${JSON.stringify({ file, source: store.name, sizeBytes, objectCount, revision, dialect }, null, 2)}\n`,
    );
  } else {
    io.out(
      `${file}: ${formatSize(sizeBytes)}, ${countObjects(objectCount)}, revision ${revision}, of ${store.name}\n`,
    );
  }
  return exitCodes.success;
}

async function makeBackup(
  { maintenance }: FoundStore,
  file: string,
  { io, signal }: { readonly io: ProgramIo; readonly signal: AbortSignal },
): Promise<DatabaseReport> {
  const part = `${file}.part`;
  await removeDatabase(part);
  try {
    using progress = startProgressLine(io);
    progress.show('making the backup');
    await maintenance.backupTo(part, {
      signal,
      onProgress({ doneBytes, totalBytes }) {
        const total = totalBytes === undefined ? '' : ` of ${formatSize(totalBytes)}`;
        progress.show(`${formatSize(doneBytes)}${total}`);
      },
    });
    progress.show('checking the backup');
    const report = await checkBackup(part);
    signal.throwIfAborted();
    await renameDurably(part, file);
    return report;
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    await removeDatabase(part);
  }
}

async function checkBackup(path: string): Promise<DatabaseReport> {
  const { checkDatabase } = await import('../storage/sqlite/index.ts');
  const report = await checkDatabase(path);
  if (report.findings.length === 0) return report;
  throw new Error(`the backup is damaged and was not kept: ${report.findings.join('; ')}`);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false; // missing, or out of reach: writing will say which
  }
}
