import type { Duplex } from 'node:stream';

/** How long what was sent last may take to leave once the other side has gone. */
const lingerMs = 10_000;
/** How often a silent peer is asked whether it is still there. */
const keepAliveMs = 30_000;

/** When joined connections are closed. */
export interface SpliceOptions {
  /** Both are closed when nothing comes or goes for so long; 0 for never. */
  readonly idleTimeoutMs: number;
  /** Closes both at once. */
  readonly signal: AbortSignal;
}

/**
 * Hands bytes between two connections, no faster than each side reads, and the end of each direction on its own. Resolves
 * when both are closed.
 */
export async function splice(client: Duplex, runtime: Duplex, options: SpliceOptions): Promise<void> {
  for (const side of [client, runtime]) {
    side.allowHalfOpen = true; // with it the end of one direction is not the end of both
    side.on('error', () => side.destroy());
    watchOver(side);
  }
  const destroyBoth = (): void => {
    if (client.destroyed) return; // its own end is on its way to the runtime
    client.destroy();
    runtime.destroy();
  };
  // All that comes or goes passes through the client's connection.
  if (options.idleTimeoutMs > 0) timeOut(client, options.idleTimeoutMs, destroyBoth);
  const closed = Promise.all([closeOf(client, runtime), closeOf(runtime, client)]);
  if (options.signal.aborted) {
    client.destroy();
    runtime.destroy();
  }
  options.signal.addEventListener('abort', destroyBoth, { once: true });
  client.pipe(runtime);
  runtime.pipe(client);
  await closed;
  options.signal.removeEventListener('abort', destroyBoth);
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
