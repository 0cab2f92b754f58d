import { setTimeout as delay } from 'node:timers/promises';
import { chunksOf } from '../../base/index.ts';
import {
  type ExecSyncOptions,
  type ExecSyncResult,
  RuntimeError,
  type RuntimeService,
} from '../runtime/index.ts';
import { containerPath, type Engine } from './engine.ts';
import { callFailure } from './engine-failure.ts';
import type { ExecDetails } from './engine-types.ts';
import { FrameReader, type OutputStream } from './frames.ts';

/** Limit of a command's output (release 1.20's bound for probes is far lower). */
const maxOutputBytes = 16 * 1024 * 1024;

/** A command to be run in a container, and which of its streams are connected. */
export interface NewExec {
  readonly containerId: string;
  readonly command: readonly string[];
  readonly tty: boolean;
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Creates an exec instance in a running container; resolves with its id. */
export async function createExec(engine: Engine, call: string, exec: NewExec): Promise<string> {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const body = {
    Cmd: exec.command,
    Tty: exec.tty,
    AttachStdin: exec.stdin,
    AttachStdout: exec.stdout,
    AttachStderr: exec.stderr,
  };
  const path = containerPath(exec.containerId, 'exec');
  return (await connection.ask<{ Id: string }>({ call, method: 'POST', path, body, timeoutMs })).Id;
}

/** The exit code of a command whose output has ended. @throws RuntimeError `failed` for one that could not be begun */
export async function readExitCode(
  engine: Engine,
  call: string,
  execId: string,
  output: () => string,
): Promise<number> {
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  const path = `/exec/${execId}/json`;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 2, 500)) {
    const { Running, ExitCode, Pid } = await connection.ask<ExecDetails>({
      call,
      method: 'GET',
      path,
      timeoutMs,
    });
    if (!Running && ExitCode !== null) {
      if (Pid === 0 && ExitCode >= 126)
        throw callFailure(call, 'failed', `failed to exec in container: ${output().trim()}`);
      return ExitCode;
    }
    // The engine records the exit code shortly after the output has ended.
    await delay(waitMs);
    connection.check();
  }
}

/** Runs commands and waits for their ends. */
export function createExecSync(engine: Engine): RuntimeService['execSync'] {
  const call = 'ExecSync';
  return async ({ containerId, command, timeoutMs, signal }: ExecSyncOptions): Promise<ExecSyncResult> => {
    const { connection } = engine;
    if (signal?.aborted === true) throw callFailure(call, 'cancelled', 'given up by the caller');
    const streams = { tty: false, stdin: false, stdout: true, stderr: true };
    const execId = await createExec(engine, call, { containerId, command, ...streams });
    const limitMs =
      timeoutMs === undefined || timeoutMs <= 0 ? undefined : Math.ceil(timeoutMs / 1000) * 1000;
    const late = new AbortController();
    const timer = limitMs === undefined ? undefined : setTimeout(() => late.abort(), limitMs);
    const output = new Output();
    try {
      const answer = await connection.stream({
        call,
        method: 'POST',
        path: `/exec/${execId}/start`,
        body: { Detach: false, Tty: false },
        timeoutMs: undefined,
        signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
      });
      for await (const chunk of chunksOf(answer)) output.take(chunk);
      const exitCode = await readExitCode(engine, call, execId, () => output.text());
      return { exitCode, stdout: output.of('stdout'), stderr: output.of('stderr') };
    } catch (error) {
      if (!late.signal.aborted) throw explain(error);
      await killExec(engine, call, execId);
      throw callFailure(call, 'timeout', `command ${command.join(' ')} timed out`, error);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Kills the process by its PID: the engine cannot end a command, but runs on the same machine. */
async function killExec(
  { connection, requestTimeoutMs: timeoutMs }: Engine,
  call: string,
  execId: string,
): Promise<void> {
  try {
    const request = { call, method: 'GET', path: `/exec/${execId}/json`, timeoutMs } as const;
    const { Running, Pid } = await connection.ask<ExecDetails>(request);
    if (Running && Pid > 1) process.kill(Pid, 'SIGKILL');
  } catch {
    // The command or the engine has ended meanwhile.
  }
}

function explain(error: unknown): RuntimeError {
  if (error instanceof RuntimeError) return error;
  const code = error instanceof RangeError ? 'failed' : 'unavailable';
  return callFailure('ExecSync', code, `connection to the engine: ${String(error)}`, error);
}

/** What a command wrote. */
class Output {
  readonly #frames = new FrameReader();
  readonly #chunks: Record<OutputStream, Buffer[]> = { stdout: [], stderr: [] };
  #size = 0;

  take(chunk: Buffer): void {
    this.#frames.read(chunk, (stream, bytes) => {
      this.#size += bytes.length;
      if (this.#size > maxOutputBytes) {
        throw callFailure('ExecSync', 'too-large', `output of more than ${maxOutputBytes} bytes`);
      }
      this.#chunks[stream].push(bytes);
    });
  }

  of(stream: OutputStream): Uint8Array {
    return Buffer.concat(this.#chunks[stream]);
  }

  text(): string {
    return Buffer.concat([...this.#chunks.stdout, ...this.#chunks.stderr]).toString('utf8');
  }
}
