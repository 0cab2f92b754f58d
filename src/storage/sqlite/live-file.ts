import { randomUUID } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { StorageError } from '../contract.ts';
import { toFailure } from './failure.ts';
import { runMaintenance } from './maintenance-task.ts';
import type { StatsResult, VerifyPage } from './messages.ts';
import { createPrivateFile } from './private-file.ts';
import type { BackupResult } from './sqlite-contract.ts';
import type { WorkerClient } from './worker-client.ts';

/** Findings after which a check of objects stops: more would say nothing new. */
const maxFindings = 100;

/** A store that is open, and the name of its file. */
export interface LiveFile {
  readonly client: WorkerClient;
  readonly path: string;
}

/** Writes a checked copy of a store that is open. See `SqliteStorage.backupTo`. */
export async function backUp(
  live: LiveFile,
  { path, signal }: { readonly path: string; readonly signal: AbortSignal | undefined },
): Promise<BackupResult> {
  if (await isSameFile(live.path, path))
    throw new RangeError(`backup to "${path}": that is the store itself`);
  return withCopy(live, { name: path, signal }, async (partial, { revision, objectCount }) => {
    const task = { kind: 'publish', partial, path, source: live.path, revision, objectCount } as const;
    const { sizeBytes } = await runMaintenance<'publish'>(task, { signal });
    return { revision, objectCount, sizeBytes };
  });
}

/** Checks a copy of a store that is open, in another thread. */
export async function verifyCopy(live: LiveFile): Promise<readonly string[]> {
  const { findings } = await withCopy(live, { name: live.path, signal: undefined }, (path) =>
    runMaintenance<'check'>({ kind: 'check', path }),
  );
  return findings;
}

/** Checks every object of an open store, a page at a time. */
export async function verifyObjects({ client }: LiveFile): Promise<readonly string[]> {
  const findings: string[] = [];
  for (let afterKey: string | undefined = ''; afterKey !== undefined && findings.length < maxFindings; ) {
    const page: VerifyPage = await client.call<'verify'>({ kind: 'verify', afterKey });
    findings.push(...page.findings);
    afterKey = page.lastKey;
  }
  return findings;
}

/** Copies the store into a file beside `name`, which is gone when `use` has ended, unless that moved it. */
async function withCopy<Result>(
  { client }: LiveFile,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal | undefined },
  use: (partial: string, copied: StatsResult) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const partial = `${name}.${randomUUID().slice(0, 8)}.partial`;
  const cancel = (): void => client.send<'cancel-backup'>({ kind: 'cancel-backup' }, ignored);
  signal?.addEventListener('abort', cancel);
  try {
    createPrivateFile(partial);
    return await use(partial, await client.call<'backup'>({ kind: 'backup', path: partial }));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof StorageError) throw error;
    const { code, message } = toFailure(error);
    throw new StorageError(code, message, { cause: error });
  } finally {
    signal?.removeEventListener('abort', cancel);
    for (const suffix of ['', '-journal', '-wal']) await rm(partial + suffix, { force: true });
  }
}

/** The backup itself says how it ended. */
const ignored = { resolve: () => {}, reject: () => {} };

async function isSameFile(path: string, other: string): Promise<boolean> {
  const own = await stat(path);
  const its = await stat(other).catch(() => undefined);
  return its !== undefined && own.dev === its.dev && own.ino === its.ino;
}
