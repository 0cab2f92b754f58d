import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

/** How a driver ended. */
export interface DriverRun {
  /** What it wrote, cut where it is too much. */
  readonly output: string;
  /** Why it ended badly; undefined when it ended well. */
  readonly failure: string | undefined;
  /** It took too long, and was ended. */
  readonly isLate: boolean;
  readonly hasRun: boolean;
}

/** More than any answer needs. */
const maxOutputBytes = 65_536;
/** What a driver has started may hold its output open as long as it likes. */
const drainMs = 1000;

/**
 * Runs a driver without a shell, in a group of processes of its own that ends with it when it is late. It gets no input.
 * Its answer is what it wrote to its standard output, or to the other one when that is empty. Never rejects.
 */
export function runDriver(program: string, args: readonly string[], timeoutMs: number): Promise<DriverRun> {
  const { promise, resolve } = Promise.withResolvers<DriverRun>();
  const failed = (error: NodeJS.ErrnoException): void =>
    resolve({
      output: '',
      failure: `fork/exec ${program}: ${describeSpawn(error)}`,
      isLate: false,
      hasRun: false,
    });
  let child: ChildProcess;
  try {
    child = spawn(program, [...args], { stdio: ['ignore', 'pipe', 'pipe'], cwd: '/', detached: true });
  } catch (error) {
    failed(error as NodeJS.ErrnoException); // spawn(2) refuses long and broken arguments with errors of the system
    return promise;
  }
  const [out, err] = [gather(child.stdout), gather(child.stderr)];
  const finish = (failure: string | undefined, isLate = false): void => {
    for (const timer of timers) clearTimeout(timer);
    resolve({ output: out() || err(), failure, isLate, hasRun: true });
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const timers = [
    setTimeout(() => {
      endGroup(child);
      finish('timeout', true);
    }, timeoutMs),
  ];
  child.once('error', (error) => {
    for (const timer of timers) clearTimeout(timer);
    failed(error);
  });
  child.once('exit', (code, signal) => {
    const failure = code === 0 ? undefined : signal === null ? `exit status ${code}` : `signal: ${signal}`;
    timers.push(setTimeout(() => finish(failure), drainMs));
    child.once('close', () => finish(failure));
  });
  return promise;
}

/** Keeps the beginning of what a stream has; the rest is read and forgotten, so that nobody waits. */
function gather(stream: Readable | null): () => string {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  stream?.on('data', (chunk: Buffer) => {
    const kept = chunk.subarray(0, maxOutputBytes - sizeBytes);
    if (kept.length > 0) chunks.push(kept);
    sizeBytes += kept.length;
  });
  return () => Buffer.concat(chunks).toString('utf8').trim();
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended in the meantime.
  }
}

const spawnFailures = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['ENOEXEC', 'exec format error'],
  ['E2BIG', 'argument list too long'],
]);

const describeSpawn = ({ code, message }: NodeJS.ErrnoException): string =>
  spawnFailures.get(code ?? '') ?? code ?? message;
