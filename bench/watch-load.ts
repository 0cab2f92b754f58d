import type { TLSSocket } from 'node:tls';
import { benchPod, podsPath } from './bench-pod.ts';
import type { LoadResult } from './closed-loop.ts';
import { encodeRequest, openSocket, type RawAccess, RawConnection } from './raw-connection.ts';

export interface WatchLoadOptions {
  readonly access: RawAccess;
  readonly watchers: number;
  readonly writes: number;
  /** Called once all watches have begun; what is measured begins when it resolves. */
  readonly onReady: () => Promise<void>;
}

/** A frame of a watch is one line of JSON; nothing else of a chunked answer ends like it. */
const [brace, newline] = [0x7d, 0x0a];

/**
 * Opens watches and changes one pod again and again, each time after all watchers have seen the change before.
 * The latency of a delivery is the time from the request of the change to the frame of one watcher.
 */
export async function runWatchLoad(options: WatchLoadOptions): Promise<LoadResult> {
  const { access, watchers, writes, onReady } = options;
  const writer = await RawConnection.open(access);
  const name = 'watched-pod';
  await writer.send(encodeRequest('POST', podsPath, JSON.stringify(benchPod(name, 1))));
  const latenciesMs: number[] = [];
  let sentAt = 0;
  let seen = 0;
  let onAllSeen: (() => void) | undefined;
  const onFrames = (count: number): void => {
    const latency = performance.now() - sentAt;
    for (let n = 0; n < count; n++) latenciesMs.push(latency);
    seen += count;
    if (seen >= watchers) onAllSeen?.();
  };
  const target = `${podsPath}?watch=1&fieldSelector=metadata.name%3D${name}`;
  const sockets = await openWatches(access, { watchers, target, onFrames });
  await reached(
    () => seen >= watchers,
    (wake) => {
      onAllSeen = wake;
    },
  );
  latenciesMs.length = 0; // the state that each watch begins with does not count
  const failures: string[] = [];
  await onReady();
  const startedAt = performance.now();
  for (let round = 0; round < writes; round++) {
    const body = `{"metadata":{"annotations":{"example.org/revision":"${round + 1}"}}}`;
    seen = 0;
    sentAt = performance.now();
    const all = reached(
      () => seen >= watchers,
      (wake) => {
        onAllSeen = wake;
      },
    );
    const { code } = await writer.send(
      encodeRequest('PATCH', `${podsPath}/${name}`, body, 'application/merge-patch+json'),
    );
    if (code !== 200) failures.push(`answer ${code}`);
    await all;
  }
  const elapsedMs = performance.now() - startedAt;
  for (const socket of sockets) socket.destroy();
  writer.close();
  return { elapsedMs, latenciesMs, bytes: 0, failures };
}

function reached(isReached: () => boolean, listen: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (isReached()) resolve();
    else listen(resolve);
  });
}

async function openWatches(
  access: RawAccess,
  options: { readonly watchers: number; readonly target: string; readonly onFrames: (count: number) => void },
): Promise<TLSSocket[]> {
  const { watchers, target, onFrames } = options;
  const request = encodeRequest('GET', target);
  const sockets: TLSSocket[] = [];
  for (let n = 0; n < watchers; n++) {
    const socket = await openSocket(access);
    let previous = 0;
    socket.on('data', (chunk: Buffer) => {
      let count = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) {
        if ((at === 0 ? previous : chunk[at - 1]) === brace) count++;
      }
      previous = chunk.at(-1) ?? 0;
      if (count > 0) onFrames(count);
    });
    socket.write(request);
    sockets.push(socket);
  }
  return sockets;
}
