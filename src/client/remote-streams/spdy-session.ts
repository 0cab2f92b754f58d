import {
  type ClientConnection,
  type OpenedStream,
  openSpdyConnection,
  type StreamEnd,
} from '../../net/spdy/index.ts';
import { upgradeDial } from './dial-upgrade.ts';
import { LostConnectionError } from './errors.ts';
import { decodeResult } from './result.ts';
import type { RemoteSession, SessionRequest } from './session.ts';

/** Header that says what a stream is for. Source: release 1.20. */
const typeHeader = 'streamType';
/** Longest result that is kept. */
const maxResultBytes = 1024 * 1024;

/**
 * Opens the streams of a process over SPDY, where the input can end while output still comes.
 *
 * @throws StatusError or UpgradeError when the server refuses, TransportError when it is not reached.
 */
export async function openSpdySession(request: SessionRequest): Promise<RemoteSession> {
  const connection = await openSpdyConnection(upgradeDial(request, 'v4.channel.orch.io'));
  try {
    return await openStreams(connection, request);
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function openStreams(connection: ClientConnection, request: SessionRequest): Promise<RemoteSession> {
  const ends: Promise<StreamEnd>[] = [];
  const open = (type: string, onData: (bytes: Buffer) => void): Promise<OpenedStream> => {
    const { promise, resolve } = Promise.withResolvers<StreamEnd>();
    if (type !== 'stdin' && type !== 'resize') ends.push(promise);
    return connection.openStream({ [typeHeader]: type }, { onData, onEnd: resolve });
  };
  let result = '';
  const ignore = (): void => {};
  const opening = {
    error: open('error', (bytes) => {
      if (result.length < maxResultBytes) result += bytes.toString('utf8');
    }),
    stdin: request.hasStdin ? open('stdin', ignore) : undefined,
    stdout: request.hasStdout ? open('stdout', (bytes) => request.onOutput('stdout', bytes)) : undefined,
    stderr: request.hasStderr ? open('stderr', (bytes) => request.onOutput('stderr', bytes)) : undefined,
    resize: request.isTty ? open('resize', ignore) : undefined,
  };
  const [error, stdin, , , resize] = await Promise.all(Object.values(opening));
  error?.end();
  // Servers end streams by resetting them, too.
  const finished = Promise.all(ends).then((hows) => {
    if (result === '' && hows.includes('lost')) throw new LostConnectionError('lost connection to pod');
    const failure = decodeResult(result);
    if (failure !== undefined) throw failure;
  });
  finished.catch(() => {}); // whoever wants to know asks
  return {
    write: async (bytes) => stdin?.write(bytes),
    end: () => stdin?.end(),
    resize: ({ columns, rows }) =>
      void resize?.write(Buffer.from(`${JSON.stringify({ Width: columns, Height: rows })}\n`)),
    finished,
    close: () => connection.close(),
  };
}
