import type { ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';

/** Connections are kept, and have many requests. */
const heard = new WeakSet<Duplex>();

/**
 * Bears errors of a request's connection that come when nobody else hears them, which would end the process: a request that is
 * given up just when its answer ends leaves its connection before the error comes (`responseOnEnd` of `node:http`). Whoever
 * has the connection is told of errors as before.
 */
export function bearLateErrors(request: ClientRequest): void {
  request.once('socket', (socket) => {
    if (heard.has(socket)) return;
    heard.add(socket);
    socket.on('error', () => {});
  });
}
