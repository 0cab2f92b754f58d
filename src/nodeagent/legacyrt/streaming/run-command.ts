import type { Readable, Writable } from 'node:stream';
import { asJsonObject, chunksOf, errorText } from '../../../base/index.ts';
import { containerPath, type Engine } from '../engine.ts';
import type { EngineRequest } from '../engine-run.ts';
import { createExec, type NewExec, readExitCode } from '../exec-calls.ts';
import { FrameReader, type OutputStream } from '../frames.ts';
import type { CommandSession, RequestedStreams } from './session.ts';

/** What a client's streams are connected to. */
export type CommandTarget =
  | { readonly kind: 'exec'; readonly exec: NewExec }
  | { readonly kind: 'attach'; readonly containerId: string; readonly streams: RequestedStreams };

const maxResizeBytes = 64 * 1024;
const maxWordsBytes = 1024;

/** Connects a client's streams until the command, or the container attached to, has ended; tells the client how. */
export async function runCommand(
  engine: Engine,
  target: CommandTarget,
  session: CommandSession,
): Promise<void> {
  try {
    const exitCode = await (target.kind === 'exec'
      ? exec(engine, target.exec, session)
      : attach(engine, target, session));
    sendExitStatus(session, exitCode);
  } catch (error) {
    sendFailure(session, target.kind, errorText(error));
  }
  for (const stream of [session.stdout, session.stderr, session.error]) stream?.end();
  await Promise.all([session.stdout, session.stderr, session.error].map(finished));
  session.end();
}

async function exec(engine: Engine, desired: NewExec, session: CommandSession): Promise<number> {
  const call = 'Exec';
  const execId = await createExec(engine, call, desired);
  const body = { Detach: false, Tty: desired.tty };
  const request = { call, method: 'POST', path: `/exec/${execId}/start`, body } as const;
  followSize(engine, `/exec/${execId}/resize`, session.resize);
  const words = await connect(engine, request, desired.tty, session);
  return await readExitCode(engine, call, execId, () => words);
}

async function attach(
  engine: Engine,
  { containerId, streams }: CommandTarget & { readonly kind: 'attach' },
  session: CommandSession,
): Promise<number> {
  const flag = (isOn: boolean): number => (isOn ? 1 : 0);
  const query = {
    stream: 1,
    stdin: flag(streams.stdin),
    stdout: flag(streams.stdout),
    stderr: flag(streams.stderr || streams.tty),
  };
  const request = {
    call: 'Attach',
    method: 'POST',
    path: containerPath(containerId, 'attach'),
    query,
  } as const;
  followSize(engine, containerPath(containerId, 'resize'), session.resize);
  await connect(engine, request, streams.tty, session);
  return 0;
}

/**
 * Copies bytes between client and engine until the engine ends the stream. Resolves with the beginning of the output:
 * when the command cannot be run, it is the engine's error message.
 */
async function connect(
  engine: Engine,
  request: Omit<EngineRequest, 'timeoutMs'>,
  isTty: boolean,
  session: CommandSession,
): Promise<string> {
  const { socket, first } = await engine.connection.hijack({
    ...request,
    timeoutMs: engine.requestTimeoutMs,
  });
  const onGone = (): void => void socket.destroy();
  session.closed.addEventListener('abort', onGone, { once: true });
  if (session.closed.aborted) onGone();
  socket.on('error', () => {}); // Its end says enough.
  session.stdin?.pipe(socket);
  const frames = isTty ? undefined : new FrameReader();
  let words = '';
  try {
    if (first.length > 0) await take(first);
    for await (const chunk of chunksOf(socket)) await take(chunk);
  } finally {
    session.closed.removeEventListener('abort', onGone);
    session.stdin?.unpipe(socket);
    session.stdin?.resume(); // Further input is discarded.
    socket.destroy();
  }
  return words;

  async function take(chunk: Buffer): Promise<void> {
    const pieces: (readonly [OutputStream, Buffer])[] = [];
    if (frames === undefined) pieces.push(['stdout', chunk]);
    else frames.read(chunk, (stream, bytes) => pieces.push([stream, bytes]));
    for (const [stream, bytes] of pieces) {
      if (words.length < maxWordsBytes) words += bytes.toString('latin1', 0, maxWordsBytes);
      await write(session[stream], bytes, session.closed);
    }
  }
}

/** Waits until there is room for more. */
async function write(stream: Writable | undefined, bytes: Buffer, closed: AbortSignal): Promise<void> {
  if (stream === undefined || stream.destroyed || closed.aborted || stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      closed.removeEventListener('abort', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
    closed.addEventListener('abort', done, { once: true });
  });
}

function finished(stream: Writable | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (stream === undefined || stream.destroyed || stream.writableFinished) return resolve();
    stream.once('finish', resolve);
    stream.once('close', resolve);
  });
}

/** Gives the command's terminal the size of the client's, whenever that changes. */
function followSize(engine: Engine, path: string, sizes: Readable | undefined): void {
  if (sizes === undefined) return;
  const { connection, requestTimeoutMs: timeoutMs } = engine;
  let rest = '';
  let last = Promise.resolve<unknown>(undefined);
  sizes.setEncoding('utf8');
  sizes.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    // Websocket clients write no ends of lines.
    rest = readSize(lines.at(-1) ?? '') === undefined ? (lines.pop() ?? '').slice(-maxResizeBytes) : '';
    const size = lines.map(readSize).findLast((each) => each !== undefined);
    if (size === undefined) return;
    const request = { call: 'Resize', method: 'POST', path, query: size, timeoutMs } as const;
    // A resize before the command has started fails; it is sent once more after the start.
    const ask = () => connection.ask(request);
    last = last
      .then(ask)
      .catch(() => new Promise((resolve) => setTimeout(resolve, 100)).then(ask))
      .catch(() => {});
  });
}

function readSize(line: string): { readonly w: number; readonly h: number } | undefined {
  try {
    const { Width, Height } = asJsonObject(JSON.parse(line));
    const isSize = (value: unknown): value is number =>
      Number.isInteger(value) && Number(value) > 0 && Number(value) < 65_536;
    return isSize(Width) && isSize(Height) ? { w: Width, h: Height } : undefined;
  } catch {
    return undefined; // Incomplete, or not JSON.
  }
}

function sendExitStatus({ error, hasStatus }: CommandSession, exitCode: number): void {
  const message = `command terminated with non-zero exit code: exit status ${exitCode}`;
  if (!hasStatus) {
    if (exitCode !== 0) error.write(Buffer.from(message));
    return;
  }
  const failure = {
    metadata: {},
    status: 'Failure',
    message,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: `${exitCode}` }] },
  };
  error.write(Buffer.from(JSON.stringify(exitCode === 0 ? { metadata: {}, status: 'Success' } : failure)));
}

function sendFailure({ error, hasStatus }: CommandSession, kind: CommandTarget['kind'], why: string): void {
  const what = kind === 'exec' ? 'error executing command in container' : 'error attaching to container';
  const message = `${what}: ${why}`;
  const status = {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${message}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  };
  error.write(Buffer.from(hasStatus ? JSON.stringify(status) : message));
}
