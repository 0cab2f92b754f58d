import { type RawAccess, RawConnection } from './raw-connection.ts';

/** What a load run gave. Latencies are in milliseconds, in no order. */
export interface LoadResult {
  readonly elapsedMs: number;
  readonly latenciesMs: number[];
  readonly bytes: number;
  /** First few answers that were no success. */
  readonly failures: readonly string[];
}

export interface LoadOptions {
  readonly access: RawAccess;
  readonly clients: number;
  readonly count: number;
  /** Bytes of the request with this index. */
  readonly requestFor: (index: number) => Buffer;
  /** Called once the connections are open; what is measured begins when it resolves. */
  readonly onReady: () => Promise<void>;
}

/** Sends `count` requests over `clients` connections, each with one request at a time. */
export async function runClosedLoop(options: LoadOptions): Promise<LoadResult> {
  const { access, clients, count, requestFor, onReady } = options;
  const connections = await Promise.all(Array.from({ length: clients }, () => RawConnection.open(access)));
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  let next = 0;
  let bytes = 0;
  const loop = async (connection: RawConnection): Promise<void> => {
    while (next < count) {
      const request = requestFor(next++);
      const startedAt = performance.now();
      const answer = await connection.send(request);
      latenciesMs.push(performance.now() - startedAt);
      bytes += answer.bytes;
      if ((answer.code < 200 || answer.code > 299) && failures.length < 5)
        failures.push(`answer ${answer.code}`);
    }
  };
  await onReady();
  const startedAt = performance.now();
  await Promise.all(connections.map(loop));
  const elapsedMs = performance.now() - startedAt;
  for (const connection of connections) connection.close();
  return { elapsedMs, latenciesMs, bytes, failures };
}
