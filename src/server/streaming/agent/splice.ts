import type { Duplex } from 'node:stream';

/** How long what was sent last may take to leave once the other side has gone. */
const lingerMs = 10_000;
/** How often a silent peer is asked whether it is still there. */
const keepAliveMs = 30_000;

/**
 * Hands bytes between two connections as they come, no faster than each side reads, and the end of each direction on its
 * own. Resolves when both connections are closed; `signal` closes them at once unless the client closed by itself.
 */
export function splice(client: Duplex, backend: Duplex, signal: AbortSignal): Promise<void> {
  for (const side of [client, backend]) {
    // Set before data flows: with it the end of one direction is not the end of both.
    side.allowHalfOpen = true;
    side.on('error', () => side.destroy());
    keepAsking(side);
  }
  const closed = Promise.all([closeOf(client, backend), closeOf(backend, client)]);
  const abort = (): void => {
    if (client.destroyed) return; // its own end is on its way to the backend
    client.destroy();
    backend.destroy();
  };
  if (signal.aborted) {
    client.destroy();
    backend.destroy();
  } else {
    signal.addEventListener('abort', abort);
    client.pipe(backend);
    backend.pipe(client);
  }
  return closed.then(() => signal.removeEventListener('abort', abort));
}

/** Resolves when a side is closed, and then sees to the end of the other. */
function closeOf(side: Duplex, other: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const onClose = (): void => {
      finish(other);
      resolve();
    };
    if (side.destroyed) onClose();
    else side.once('close', onClose);
  });
}

/** Closes a side once what was written to it has left. */
function finish(side: Duplex): void {
  if (side.destroyed) return;
  const timer = setTimeout(() => side.destroy(), lingerMs);
  side.once('close', () => clearTimeout(timer));
  if (side.writableFinished) side.destroy();
  else side.end(() => side.destroy());
}

/** A connection from within this process has nothing to ask. */
function keepAsking(side: Duplex): void {
  if ('setKeepAlive' in side && typeof side.setKeepAlive === 'function') side.setKeepAlive(true, keepAliveMs);
  if ('setNoDelay' in side && typeof side.setNoDelay === 'function') side.setNoDelay(true);
}
