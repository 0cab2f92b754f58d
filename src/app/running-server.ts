import { readFile, rm, stat } from 'node:fs/promises';
import { asJsonObject, asText, writeFileAtomic } from '../base/index.ts';
import { StorageError } from '../storage/index.ts';

/** A server that runs on a database. */
export interface RunningRecord {
  readonly pid: number;
  readonly url: string;
}

/** Beside the database, so that whoever finds it locked learns by whom. */
const recordOf = (databasePath: string): string => `${databasePath}.server`;

/** Notes who runs on a database. The returned function takes the note away. @throws Error when it cannot be written */
export async function noteRunning(databasePath: string, record: RunningRecord): Promise<() => Promise<void>> {
  await writeFileAtomic(recordOf(databasePath), `${JSON.stringify(record)}\n`);
  return () => rm(recordOf(databasePath), { force: true });
}

/** An error that says that a database is locked, with who holds it as far as that can be found out; others as they are. */
export async function nameHolder(error: unknown, databasePath: string | undefined): Promise<unknown> {
  if (!(error instanceof StorageError) || error.code !== 'locked' || databasePath === undefined) return error;
  const [pid, record] = [await lockHolder(databasePath), await readRecord(databasePath)];
  // What a server that was killed has left says nothing of who came after it.
  const isRecorded = record !== undefined && (pid === undefined ? isAlive(record.pid) : pid === record.pid);
  const who = isRecorded
    ? `orch serve at ${record.url}, process ${record.pid}`
    : pid === undefined
      ? undefined
      : `${await commandOf(pid)}, process ${pid}`;
  if (who === undefined) return error;
  return new StorageError('locked', `${error.message}: ${who}; stop it, or give another --data-dir`, {
    cause: error,
  });
}

/** The process that holds a lock on a file; undefined where the kernel does not tell, or tells of another namespace. */
async function lockHolder(path: string): Promise<number | undefined> {
  try {
    const { ino } = await stat(path, { bigint: true });
    for (const line of (await readFile('/proc/locks', 'utf8')).split('\n')) {
      // 1: POSIX  ADVISORY  WRITE 23113 fe:00:2334775 0 EOF
      const [, , , kind, pid, file = ''] = line.split(/\s+/);
      if (kind === 'WRITE' && file.split(':')[2] === String(ino) && Number(pid) > 0) return Number(pid);
    }
  } catch {
    // Other kernels have no such file: the lock is told of all the same.
  }
  return undefined;
}

async function readRecord(databasePath: string): Promise<RunningRecord | undefined> {
  try {
    const record = asJsonObject(JSON.parse(await readFile(recordOf(databasePath), 'utf8')));
    const [pid, url] = [record?.pid, asText(record?.url)];
    return Number.isSafeInteger(pid) && url !== '' ? { pid: Number(pid), url } : undefined;
  } catch {
    return undefined; // missing, damaged or out of reach: then it says nothing
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** What the kernel calls the program of a process. */
async function commandOf(pid: number): Promise<string> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''); // it may have ended by now
  return name.trim() === '' ? 'another program' : `program ${JSON.stringify(name.trim())}`;
}
