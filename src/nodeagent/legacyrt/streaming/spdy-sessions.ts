import type { Duplex } from 'node:stream';
import { type AcceptedStream, ServerConnection } from '../../../net/spdy/index.ts';
import type { CommandProtocol } from './protocols.ts';
import type { CommandSession, PortSession, RequestedStreams } from './session.ts';

/** How long a client may take to open its streams (release 1.20's bound). */
const streamsTimeoutMs = 30_000;
/** First protocol version with a stream for terminal sizes; the next one adds the Status object. */
const resizeVersion = 3;
const statusVersion = 4;

/** The connection of a client that was upgraded to SPDY. */
export interface SpdyClient {
  readonly socket: Duplex;
  /** What came with the head of its request. */
  readonly first: Buffer;
}

const typeOf = (stream: AcceptedStream): string => stream.headers.get('streamtype') ?? '';

/** Waits until a client has opened all streams of a command. Undefined when it does not in time. */
export function openSpdyCommand(
  { socket, first }: SpdyClient,
  desired: RequestedStreams,
  { version }: CommandProtocol,
): Promise<CommandSession | undefined> {
  const names = ['error', ...(['stdin', 'stdout', 'stderr'] as const).filter((name) => desired[name])];
  if (desired.tty && version >= resizeVersion) names.push('resize');
  const streams = new Map<string, AcceptedStream>();
  const closed = new AbortController();
  socket.once('close', () => closed.abort());
  return new Promise((resolve) => {
    const give = (): void => {
      const error = streams.get('error');
      if (error === undefined || !names.every((name) => streams.has(name))) return;
      clearTimeout(timer);
      // Data on a stream that is for output only would block the flow control of the others; it is discarded.
      for (const name of ['error', 'stdout', 'stderr']) streams.get(name)?.resume();
      resolve({
        stdin: streams.get('stdin'),
        stdout: streams.get('stdout'),
        stderr: streams.get('stderr'),
        resize: streams.get('resize'),
        error,
        hasStatus: version >= statusVersion,
        closed: closed.signal,
        end: () => connection.close(),
      });
    };
    const giveUp = (): void => {
      socket.destroy();
      resolve(undefined);
    };
    const timer = setTimeout(giveUp, streamsTimeoutMs);
    timer.unref();
    closed.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve(undefined);
    });
    const connection = new ServerConnection(socket, first, (stream) => {
      const type = typeOf(stream);
      if (!names.includes(type) || streams.has(type)) return void stream.destroy(new Error('not wanted'));
      streams.set(type, stream);
      give();
    });
  });
}

/** Calls `onPort` for every pair of streams that a client opens for one connection to a port. Resolves when it has gone. */
export async function openSpdyPorts(
  { socket, first }: SpdyClient,
  onPort: (session: PortSession) => void,
): Promise<void> {
  const halves = new Map<string, AcceptedStream>();
  const take = (stream: AcceptedStream): void => {
    const { headers } = stream;
    const port = Number(headers.get('port') ?? Number.NaN);
    const type = typeOf(stream);
    if (!(Number.isInteger(port) && port >= 1 && port <= 65_535) || (type !== 'data' && type !== 'error')) {
      return void stream.destroy(new Error('not wanted'));
    }
    // Older clients number their requests by the streams: an error stream, and the next one for data.
    const id = headers.get('requestid') ?? `${type === 'error' ? stream.id : stream.id - 2}`;
    const other = halves.get(id);
    if (other === undefined || typeOf(other) === type) {
      halves.set(id, stream);
      stream.once('close', () => halves.get(id) === stream && halves.delete(id));
      return;
    }
    halves.delete(id);
    const [data, error] = type === 'data' ? [stream, other] : [other, stream];
    error.resume();
    onPort({ port, data, error });
  };
  const connection = new ServerConnection(socket, first, take);
  await new Promise<void>((resolve) => {
    if (socket.destroyed) resolve();
    socket.once('close', resolve);
    socket.once('end', () => connection.close());
  });
}
