import type { Duplex, Readable } from 'node:stream';

/** How long what was sent last may take to leave once the other side has gone. */
const lingerMs = 10_000;
/** How often a silent peer is asked whether it is still there. */
const keepAliveMs = 30_000;

/** When joined connections are closed. */
export interface SpliceOptions {
  /** Both are closed when nothing comes or goes for so long; never when 0 or left out. */
  readonly idleTimeoutMs?: number | undefined;
  /** Closes both at once, unless the client has closed by itself. */
  readonly signal: AbortSignal;
}

/**
 * Hands bytes between two connections, no faster than each side reads, and the end of each direction on its own. Resolves
 * when both are closed.
 */
export async function splice(
  client: Duplex,
  backend: Duplex,
  { idleTimeoutMs = 0, signal }: SpliceOptions,
): Promise<void> {
  for (const side of [client, backend]) {
    // Set before data flows: with it the end of one direction is not the end of both.
    side.allowHalfOpen = true;
    side.on('error', () => side.destroy());
    watchOver(side);
  }
  const destroyBoth = (): void => {
    if (client.destroyed) return; // its own end is on its way to the backend
    client.destroy();
    backend.destroy();
  };
  // All that comes or goes passes through the client's connection.
  if (idleTimeoutMs > 0) timeOut(client, idleTimeoutMs, destroyBoth);
  const closed = Promise.all([closeOf(client, backend), closeOf(backend, client)]);
  if (signal.aborted) {
    client.destroy();
    backend.destroy();
  } else {
    signal.addEventListener('abort', destroyBoth, { once: true });
    client.pipe(backend);
    backend.pipe(client);
  }
  await closed;
  signal.removeEventListener('abort', destroyBoth);
}

/** Resolves when a side has closed, and sees to the end of the other. */
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

/** A connection from within this process has none of these. */
interface SocketLike {
  setKeepAlive?(enable: boolean, delayMs: number): unknown;
  setNoDelay?(enable: boolean): unknown;
  setTimeout?(timeoutMs: number, listener: () => void): unknown;
}

function watchOver(side: Duplex & SocketLike): void {
  side.setKeepAlive?.(true, keepAliveMs);
  side.setNoDelay?.(true);
}

function timeOut(side: Duplex & SocketLike, timeoutMs: number, onIdle: () => void): void {
  side.setTimeout?.(timeoutMs, onIdle);
}

/** The parts of a stream as bytes. It must have no encoding set, and not be in object mode. */
export const chunksOf = (stream: Readable): AsyncIterable<Buffer> => stream;
