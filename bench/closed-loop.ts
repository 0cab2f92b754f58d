import { Http2Connection } from './http2-connection.ts';
import { type RawAccess, type RawAnswer, RawConnection } from './raw-connection.ts';

/** What a load run gave. Latencies are in milliseconds, in no order. */
export interface LoadResult {
  readonly elapsedMs: number;
  readonly latenciesMs: number[];
  readonly bytes: number;
  /** First few answers that were no success. */
  readonly failures: readonly string[];
}

/** A connection with one request at a time. */
export interface LoadConnection {
  /** Sends a request, given as bytes of HTTP/1.1. @throws Error when the connection breaks. */
  send(request: Buffer): Promise<RawAnswer>;
  close(): void;
}

/** The version of HTTP that a load speaks. */
export type LoadProtocol = 'http/1.1' | 'h2';

export interface LoadOptions {
  readonly access: RawAccess;
  readonly protocol: LoadProtocol;
  readonly clients: number;
  readonly count: number;
  /** Bytes of the request with this index. */
  readonly requestFor: (index: number) => Buffer;
  /** Called once the connections are open; what is measured begins when it resolves. */
  readonly onReady: () => Promise<void>;
}

/** Sends `count` requests over `clients` connections, each with one request at a time. */
export async function runClosedLoop(options: LoadOptions): Promise<LoadResult> {
  const { access, protocol, clients, count, requestFor, onReady } = options;
  const connections: LoadConnection[] =
    protocol === 'h2'
      ? await Http2Connection.open(access, clients)
      : await Promise.all(Array.from({ length: clients }, () => RawConnection.open(access)));
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  let next = 0;
  let bytes = 0;
  const loop = async (connection: LoadConnection): Promise<void> => {
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
