import type { Socket } from 'node:net';
import { errorText } from '../../base/index.ts';
import type { ForwardedConnection, ForwardedPod } from '../../client/remote-streams/index.ts';
import type { CtlIo } from '../io.ts';
import type { PortPair } from './ports.ts';

/** Bytes from the pod that may wait for a local reader before the pod has to. */
const maxWaitingBytes = 1024 * 1024;

/** Joins a local connection to a port of a pod until both directions have ended; says what goes wrong. */
export async function forwardConnection(
  io: CtlIo,
  pod: ForwardedPod,
  { socket, pair }: { readonly socket: Socket; readonly pair: PortPair },
): Promise<void> {
  io.stdout.write(`Handling connection for ${pair.local}\n`);
  let hasLeft = false;
  socket.on('error', () => socket.destroy());
  socket.once('close', () => {
    hasLeft = true;
  });
  try {
    const remote = await pod.connect(pair.remote, (bytes) => passOn(pod, socket, bytes));
    socket.once('close', () => remote.cancel());
    if (socket.destroyed) remote.cancel();
    void pump(socket, remote);
    const failure = await remote.finished;
    if (failure !== '') throw new Error(failure);
    socket.end();
  } catch (error) {
    // What is given up because the local side has left is no failure.
    if (!hasLeft) report(io, pair, error);
  }
  await discardRest(socket);
}

/** A pod's connections share one: all of them wait for a reader that is slow. */
function passOn(pod: ForwardedPod, socket: Socket, bytes: Buffer): void {
  if (socket.destroyed || socket.write(bytes) || socket.writableLength < maxWaitingBytes) return;
  pod.pause();
  const resume = (): void => {
    socket.off('drain', resume);
    socket.off('close', resume);
    pod.resume();
  };
  socket.once('drain', resume);
  socket.once('close', resume);
}

async function pump(socket: Socket, remote: ForwardedConnection): Promise<void> {
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      await remote.write(chunk as Buffer); // no encoding is set
    }
    remote.end();
  } catch {
    // The local side broke off: it is closed then, which ends the other side too.
  }
}

/** Nobody takes any more from the local side: it is closed once what the pod sent has left. */
function discardRest(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve();
    socket.once('close', () => resolve());
    socket.end(() => socket.destroy());
  });
}

function report(io: CtlIo, { local, remote }: PortPair, error: unknown): void {
  const text = errorText(error);
  io.stderr.write(`an error occurred forwarding ${local} -> ${remote}: ${text}\n`);
}
