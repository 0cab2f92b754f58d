import type { Socket } from 'node:net';
import type { Pod } from '../../apis/types/core-v1.ts';
import { type ForwardedConnection, openForwardedPort } from '../../client/remote-streams/index.ts';
import type { Ctl } from '../ctl.ts';
import { podPath } from '../pods/first-pod.ts';
import { userAgentOf } from '../remote/run-remote.ts';
import type { PortPair } from './ports.ts';

/** Bytes from the pod that may wait for a local reader before the pod has to. */
const maxWaitingBytes = 1024 * 1024;

/** A local connection and where it leads. */
export interface LocalConnection {
  readonly socket: Socket;
  readonly pod: Pod;
  readonly pair: PortPair;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** Joins a local connection to a port of a pod until one of them ends; says what goes wrong. */
export async function forwardConnection(ctl: Ctl, local: LocalConnection): Promise<void> {
  const { socket, pair, signal } = local;
  ctl.io.stdout.write(`Handling connection for ${pair.local}\n`);
  const ended = new AbortController();
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end);
  socket.once('close', () => {
    signal.removeEventListener('abort', end);
    ended.abort();
  });
  socket.on('error', end);
  try {
    const failure = await join(ctl, { ...local, signal: ended.signal });
    if (failure !== '') throw new Error(failure);
    socket.end();
  } catch (error) {
    // What is given up because the local side has left is no failure.
    if (!ended.signal.aborted) report(ctl, pair, error);
    socket.destroy();
  }
}

async function join(ctl: Ctl, { pod, socket, pair, signal }: LocalConnection): Promise<string> {
  const { connection } = await ctl.context();
  const { name, namespace = '' } = pod.metadata;
  let remote: ForwardedConnection | undefined;
  remote = await openForwardedPort({
    connection,
    dialect: ctl.dialect,
    userAgent: userAgentOf(ctl.dialect.spell('ctl')),
    path: podPath(namespace, name, 'portforward'),
    port: pair.remote,
    signal,
    onData(bytes) {
      if (socket.write(bytes) || socket.writableLength < maxWaitingBytes || remote === undefined) return;
      remote.pause();
      socket.once('drain', () => remote?.resume());
    },
  });
  void pump(socket, remote);
  return remote.finished;
}

/** Its end is not passed on: a WebSocket has no way to say that one direction is over. */
async function pump(socket: Socket, remote: ForwardedConnection): Promise<void> {
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      await remote.write(chunk as Buffer); // no encoding is set
    }
  } catch {
    // The local side broke off: it is closed then, which ends the other side too.
  }
}

function report({ io }: Ctl, { local, remote }: PortPair, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  io.stderr.write(`an error occurred forwarding ${local} -> ${remote}: ${text}\n`);
}
