import type { Readable } from 'node:stream';
import { chunksOf } from '../../base/index.ts';
import {
  openRemoteSession,
  RemoteExitError,
  type RemoteSession,
  type SessionRequest,
  type TerminalSize,
} from '../../client/remote-streams/index.ts';
import type { QueryValue } from '../../client/rest/index.ts';
import { userAgentOf } from '../client-version.ts';
import type { Ctl } from '../ctl.ts';
import { ExitError } from '../errors.ts';
import { podPath } from '../pods/first-pod.ts';
import { explainStreamFailure } from './explain-failure.ts';

/** Streams of a container. */
export interface RemoteStreams {
  readonly namespace: string;
  readonly pod: string;
  readonly subresource: 'exec' | 'attach';
  /** Container, and command where there is one. */
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly hasStdin: boolean;
  /** The process has a terminal, and this process's own is in raw mode meanwhile. */
  readonly isRaw: boolean;
}

/** Streams of a container that a command joins to its own. */
export interface RemoteRun extends RemoteStreams {
  /** Begin with another size than that of the terminal, so that what runs already draws its screen anew. */
  readonly nudgesSize?: boolean;
}

/**
 * Joins this process's streams to those of a process in a container until that ends.
 *
 * @throws ExitError with the exit code of the remote process when it is not 0, and what `openRemoteSession` throws.
 */
export async function runRemote(ctl: Ctl, run: RemoteRun): Promise<void> {
  const { io } = ctl;
  const output = new SafeOutput(io);
  if (run.isRaw) io.input.setRawMode(true);
  try {
    const onOutput: SessionRequest['onOutput'] = (stream, bytes) => output.write(stream, bytes);
    const session = await openRemoteSession(await sessionRequest(ctl, run, onOutput));
    const stopResizing = run.isRaw ? followSize(ctl, session, run.nudgesSize ?? false) : () => {};
    const input = run.hasStdin ? io.input.open() : undefined;
    if (input !== undefined) void feed(input, session);
    try {
      await Promise.race([session.finished, output.failed]);
    } finally {
      stopResizing();
      input?.destroy();
      session.close();
    }
  } catch (error) {
    if (error instanceof RemoteExitError) throw new ExitError(error.exitCode, error.message);
    throw explainStreamFailure(error, ctl.dialect);
  } finally {
    if (run.isRaw) io.input.setRawMode(false);
  }
}

/** This process's outputs: that one of them cannot be written to is a failure of the command, not of the connection. */
class SafeOutput {
  /** Rejects with the first failure. */
  readonly failed: Promise<never>;
  readonly #io: Ctl['io'];
  #fail: (error: unknown) => void = () => {};

  constructor(io: Ctl['io']) {
    this.#io = io;
    this.failed = new Promise((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => {}); // whoever wants to know asks
  }

  write(stream: 'stdout' | 'stderr', bytes: Buffer): void {
    try {
      this.#io[stream].write(bytes);
    } catch (error) {
      this.#fail(error);
    }
  }
}

/** What opens the streams of a container. */
export async function sessionRequest(
  { io, dialect, connection, trace }: Ctl,
  { namespace, pod, subresource, query, hasStdin, isRaw }: RemoteStreams,
  onOutput: SessionRequest['onOutput'],
): Promise<SessionRequest> {
  const streams = { hasStdin, hasStdout: true, hasStderr: !isRaw, isTty: isRaw };
  return {
    connection: await connection(),
    dialect,
    trace: await trace(),
    userAgent: userAgentOf(dialect.spell('ctl')),
    path: podPath(namespace, pod, subresource),
    query: {
      ...query,
      stdin: streams.hasStdin || undefined,
      stdout: true,
      stderr: streams.hasStderr || undefined,
      tty: streams.isTty || undefined,
    },
    ...streams,
    signal: io.signal,
    onOutput,
  };
}

/** Tells the size of the terminal now and after each change. */
function followSize({ io }: Ctl, session: RemoteSession, nudges: boolean): () => void {
  const sendSize = (change = 0): void => {
    const size: TerminalSize | undefined = io.input.size();
    if (size === undefined) return;
    session.resize({ columns: size.columns + change, rows: size.rows + change });
  };
  if (nudges) sendSize(1);
  sendSize();
  return io.input.onResize(() => sendSize());
}

/** Sends the input to its end, or until it is destroyed. */
async function feed(input: Readable, session: RemoteSession): Promise<void> {
  try {
    for await (const chunk of chunksOf(input)) await session.write(chunk);
  } catch {
    // Nobody reads the input any more, or it cannot be read: the process sees its end.
  }
  session.end();
}
