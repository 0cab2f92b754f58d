import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { benchPod, podsPath } from './bench-pod.ts';
import type { LoadProtocol, LoadResult } from './closed-loop.ts';
import { Http2Connection } from './http2-connection.ts';
import { openSocket, type RawAccess, RawConnection } from './raw-connection.ts';
import { encodeRequest } from './raw-request.ts';

export interface WatchLoadOptions {
  readonly access: RawAccess;
  readonly protocol: LoadProtocol;
  readonly watchers: number;
  readonly writes: number;
  /** Each change waits until all watchers have seen the one before; else it follows at once. */
  readonly isInStep: boolean;
  /** Called once all watches have begun; what is measured begins when it resolves. */
  readonly onReady: () => Promise<void>;
  /** Where the object is that changes, and how it begins; a pod when left out. */
  readonly watched?: { readonly collection: string; readonly body: (name: string) => string };
}

export interface WatchLoadResult extends LoadResult {
  /** Ends the watches, all at the same moment: work for the server that is not part of what was measured. */
  close(): void;
}

/** A frame of a watch is one line of JSON; nothing else of a chunked answer ends like it. */
const [brace, newline] = [0x7d, 0x0a];
const name = 'watched-pod';
const watchedPod = { collection: podsPath, body: (name: string) => JSON.stringify(benchPod(name, 1)) };

/**
 * Opens watches and changes one object again and again. The latency of a delivery is the time from the request of the
 * change to the frame of one watcher.
 */
export async function runWatchLoad(options: WatchLoadOptions): Promise<WatchLoadResult> {
  const { access, protocol, watchers, writes, isInStep, onReady, watched = watchedPod } = options;
  const { collection } = watched;
  const { token } = access;
  const writer = await RawConnection.open(access);
  await writer.send(encodeRequest(collection, { method: 'POST', body: watched.body(name), token }));
  const deliveries = new Deliveries();
  const target = encodeRequest(`${collection}?watch=1&fieldSelector=metadata.name%3D${name}`, { token });
  const streams =
    protocol === 'h2'
      ? (await Http2Connection.open(access, watchers)).map((connection) => connection.open(target))
      : await openSockets(access, watchers, target);
  for (const stream of streams) countFrames(stream, deliveries);
  await deliveries.reached(watchers); // the state that each watch begins with
  const failures: string[] = [];
  await onReady();
  const startedAt = performance.now();
  for (let round = 1; round <= writes; round++) {
    const body = `{"metadata":{"annotations":{"example.org/revision":"${startedAt}-${round}"}}}`;
    deliveries.sentAt.push(performance.now());
    const { code } = await writer.send(
      encodeRequest(`${collection}/${name}`, {
        method: 'PATCH',
        body,
        contentType: 'application/merge-patch+json',
        token,
      }),
    );
    if (code !== 200) failures.push(`answer ${code}`);
    if (isInStep) await deliveries.reached(watchers * (round + 1));
  }
  await deliveries.reached(watchers * (writes + 1));
  const elapsedMs = performance.now() - startedAt;
  const close = (): void => {
    for (const stream of streams) stream.destroy();
    writer.close();
  };
  return { elapsedMs, latenciesMs: deliveries.latenciesMs, bytes: 0, failures, close };
}

/** What all watchers have seen. */
class Deliveries {
  /** When the change with this index was sent; the first is the state that watches begin with. */
  readonly sentAt: number[] = [0];
  readonly latenciesMs: number[] = [];
  #seen = 0;
  #target = 0;
  #wake: () => void = () => {};

  /** A watcher got its frame with this index. */
  add(index: number): void {
    const sentAt = this.sentAt[index];
    if (index > 0 && sentAt !== undefined) this.latenciesMs.push(performance.now() - sentAt);
    if (++this.#seen >= this.#target) this.#wake();
  }

  /** Resolves when so many frames have come. */
  reached(target: number): Promise<void> {
    this.#target = target;
    if (this.#seen >= target) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

async function openSockets(access: RawAccess, watchers: number, target: Buffer): Promise<TLSSocket[]> {
  const sockets: TLSSocket[] = [];
  for (let n = 0; n < watchers; n++) {
    const socket = await openSocket(access);
    socket.write(target);
    sockets.push(socket);
  }
  return sockets;
}

function countFrames(stream: Duplex, deliveries: Deliveries): void {
  let previous = 0;
  let index = 0;
  stream.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
      if ((at === 0 ? previous : chunk[at - 1]) === brace) deliveries.add(index++);
    }
    previous = chunk.at(-1) ?? 0;
  });
}
