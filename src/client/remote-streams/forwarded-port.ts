import type { StreamTarget } from './session.ts';
import { type ChannelMessage, openChannelSocket } from './websocket.ts';

/** A port of a pod to be connected to. */
export interface ForwardRequest extends Omit<StreamTarget, 'query'> {
  readonly port: number;
  readonly onData: (bytes: Buffer) => void;
}

/** One connection to a port of a pod. */
export interface ForwardedConnection {
  /** Resolves when more may follow. */
  write(bytes: Buffer): Promise<void>;
  /** Lets the pod wait with sending. */
  pause(): void;
  resume(): void;
  /** Resolves when the connection is over, with what the server says went wrong; empty when nothing did. */
  readonly finished: Promise<string>;
  close(): void;
}

/** Data and errors of the only port that is asked for. */
const channels = { data: 0, error: 1 } as const;
/** The first message of each channel repeats the number of its port. Source: release 1.20. */
const portBytes = 2;
const maxErrorBytes = 64 * 1024;

/**
 * Connects to a port of a pod over a WebSocket of its own.
 *
 * @throws StatusError or UpgradeError when the server refuses, TransportError when it is not reached.
 */
export async function openForwardedPort({
  port,
  onData,
  ...target
}: ForwardRequest): Promise<ForwardedConnection> {
  const socket = await openChannelSocket({ ...target, query: { ports: port } });
  const unread = new Map<number, number>([
    [channels.data, portBytes],
    [channels.error, portBytes],
  ]);
  const { promise: finished, resolve } = Promise.withResolvers<string>();
  let failure = '';
  const onMessage = ({ channel, bytes }: ChannelMessage): void => {
    const skipped = Math.min(unread.get(channel) ?? 0, bytes.length);
    unread.set(channel, (unread.get(channel) ?? 0) - skipped);
    const rest = bytes.subarray(skipped);
    if (rest.length === 0) return;
    if (channel === channels.data) onData(rest);
    else if (channel === channels.error && failure.length < maxErrorBytes) failure += rest.toString('utf8');
  };
  socket.listen({ onMessage, onClose: () => resolve(failure) });
  return {
    write: (bytes) => socket.send(channels.data, bytes),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    finished,
    close: () => socket.close(),
  };
}
