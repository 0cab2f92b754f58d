import { spawn } from 'node:child_process';
import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import { type Clock, pause } from '../../base/index.ts';

/** The file to lock; an abort of `signal` gives up the waiting for whoever holds the lock. */
export interface LockFileOptions {
  readonly path: string;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/** A lock that this process holds; the system takes it back when the process ends, however that happens. */
export interface LockFile extends AsyncDisposable {
  /** Whether somebody waits for the lock, or the file is no longer at its path. */
  isContended(): Promise<boolean>;
}

const mode = 0o600;

/**
 * Waits for the lock of a file (flock(2), as release 1.20 takes it) and holds it. The lock belongs to the open file,
 * which `flock` inherits: it takes the lock and ends, and the file stays open here.
 *
 * @throws Error when the file cannot be opened, there is no `flock`, or `signal` aborted
 */
export async function acquireLockFile({ path, signal }: LockFileOptions): Promise<LockFile> {
  const file = await open(path, 'a+', mode);
  try {
    await takeLock(file, path, signal);
    const { dev, ino } = await file.stat({ bigint: true });
    return {
      isContended: () => isContended(path, { dev, ino }),
      [Symbol.asyncDispose]: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Resolves when the lock is contended; false when `signal` aborted before. Never rejects. */
export async function untilContended(
  lock: LockFile,
  {
    clock,
    periodMs,
    signal,
  }: { readonly clock: Clock; readonly periodMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  while (await pause(clock, periodMs, signal)) if (await lock.isContended()) return true;
  return false;
}

function takeLock(file: FileHandle, path: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`unable to acquire file lock on "${path}": ${why}`));
    // Descriptor 3 of the child is the open file here, lock and all.
    const child = spawn('flock', ['-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', file.fd], signal });
    child.once('error', (error) => fail(signal.aborted ? 'the agent is stopping' : error.message));
    child.once('exit', (code) => (code === 0 ? resolve() : fail(`flock ended with code ${code}`)));
  });
}

interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

async function isContended(path: string, identity: FileIdentity): Promise<boolean> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (found?.ino !== identity.ino || found.dev !== identity.dev) return true;
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '');
  return hasWaiter(locks, identity);
}

/** Whether the kernel's list shows somebody who waits for a lock of the file: `1: -> FLOCK ... 08:01:42 0 EOF`. */
export function hasWaiter(locks: string, { dev, ino }: FileIdentity): boolean {
  const hex = (value: bigint): string => value.toString(16).padStart(2, '0');
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffff_ff00n);
  const file = ` ${hex(major)}:${hex(minor)}:${ino} `;
  return locks.split('\n').some((line) => line.includes(' -> ') && line.includes(file));
}
