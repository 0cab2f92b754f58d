import { existsSync, rmSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { renameDurably } from '../../base/index.ts';
import { DatabaseFailure } from './failure.ts';
import { withDatabase } from './file-database.ts';
import { finishCopy } from './finish-copy.ts';
import { checkDialect, readIdentity } from './identity.ts';
import { createPrivateFile } from './private-file.ts';

/** Revisions that are left free after those of a backup: more than a server writes between two backups. */
const revisionStep = 1_000_000;

const pagesPerStep = 4096;

export interface RestoreTask {
  readonly from: string;
  readonly to: string;
  readonly dialect: string | undefined;
  readonly overwrite: boolean;
}

/** What a restored store begins with. */
export interface RestoreResult {
  /** First revision of the restored store. */
  readonly revision: number;
  /** Last revision in the backup. */
  readonly backupRevision: number;
  readonly objectCount: number;
}

/**
 * Makes a store of a backup, whole or not at all. Its revisions go on far beyond those of the backup and its history
 * is forgotten, so that a client that has seen later revisions is told to list anew.
 */
export async function restoreFile({ from, to, dialect, overwrite }: RestoreTask): Promise<RestoreResult> {
  if (existsSync(to)) {
    if (!overwrite)
      throw new DatabaseFailure('unavailable', `"${to}" exists: it is replaced only when told to`);
    await requireUnused(to);
  }
  const partial = `${to}.${process.pid}.restore`;
  createPrivateFile(partial);
  try {
    await withDatabase(from, (database) => database.backup(partial, { progress: () => pagesPerStep }));
    const result = await withDatabase(partial, (database) => makeStore(database, { from, dialect }));
    for (const suffix of ['-wal', '-shm', '-journal']) rmSync(to + suffix, { force: true });
    await renameDurably(partial, to);
    return result;
  } finally {
    for (const suffix of ['', '-wal', '-journal']) rmSync(partial + suffix, { force: true });
  }
}

/** Makes sure that no process uses the store that is replaced. What is in it does not matter any more. */
async function requireUnused(path: string): Promise<void> {
  try {
    await withDatabase(path, () => {});
  } catch (error) {
    if (error instanceof DatabaseFailure && error.code === 'locked') throw error;
  }
}

function makeStore(
  database: Database,
  { from, dialect }: { readonly from: string; readonly dialect: string | undefined },
): RestoreResult {
  const identity = readIdentity(database, from);
  if (dialect !== undefined) checkDialect(identity, from, dialect);
  const { revision: backupRevision, objectCount } = finishCopy(database, from);
  const revision = Math.ceil((backupRevision + revisionStep) / revisionStep) * revisionStep;
  identity.meta.set('compacted', revision);
  return { revision, backupRevision, objectCount };
}
