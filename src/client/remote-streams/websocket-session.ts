import { LostConnectionError } from './errors.ts';
import { decodeResult } from './result.ts';
import type { RemoteSession, SessionRequest } from './session.ts';
import { type ChannelMessage, openChannelSocket } from './websocket.ts';

/** Numbers of the channels. Source: release 1.20. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const;

/** Longest result that is kept. */
const maxResultBytes = 1024 * 1024;

/**
 * Opens the streams of a process over a WebSocket. The protocol has no way to end the input alone: `end` does nothing.
 *
 * @throws what `openChannelSocket` throws.
 */
export async function openWebSocketSession(request: SessionRequest): Promise<RemoteSession> {
  const socket = await openChannelSocket(request);
  let result = '';
  let hasResult = false;
  const { promise: finished, resolve, reject } = Promise.withResolvers<void>();
  finished.catch(() => {}); // whoever wants to know asks
  const onMessage = ({ channel, bytes }: ChannelMessage): void => {
    if (channel === channels.stdout) request.onOutput('stdout', bytes);
    else if (channel === channels.stderr) request.onOutput('stderr', bytes);
    else if (channel === channels.error && bytes.length > 0 && result.length < maxResultBytes) {
      hasResult = true;
      result += bytes.toString('utf8');
    }
  };
  const onClose = (isClean: boolean): void => {
    const failure =
      hasResult || isClean ? decodeResult(result) : new LostConnectionError('lost connection to pod');
    if (failure === undefined) resolve();
    else reject(failure);
  };
  socket.listen({ onMessage, onClose });
  return {
    write: (bytes) => socket.send(channels.stdin, bytes),
    end: () => {},
    resize: ({ columns, rows }) =>
      void socket.send(channels.resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))),
    finished,
    close: () => socket.close(),
  };
}
