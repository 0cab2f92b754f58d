import { type ClientConnection, type OpenedStream, openSpdyConnection } from '../../net/spdy/index.ts';
import { upgradeDial } from './dial-upgrade.ts';
import type { StreamTarget } from './session.ts';

/** A connection to one port of a pod. */
export interface ForwardedConnection {
  /** Resolves when more may follow. */
  write(bytes: Buffer): Promise<void>;
  /** Says that no more comes from this side. */
  end(): void;
  /** Resolves when the pod's side is over, with what the server says went wrong; empty when nothing did. */
  readonly finished: Promise<string>;
  /** Gives the connection up. */
  cancel(): void;
}

/** A pod whose ports can be connected to. */
export interface ForwardedPod {
  /** @throws Error when the server does not accept one more connection. */
  connect(port: number, onData: (bytes: Buffer) => void): Promise<ForwardedConnection>;
  /** Resolves when the connection to the pod is lost, or was closed. */
  readonly closed: Promise<void>;
  /** Lets the pod wait with sending, on all connections. */
  pause(): void;
  resume(): void;
  close(): void;
}

const maxErrorBytes = 64 * 1024;

/**
 * Opens the way to the ports of a pod, over SPDY: the WebSockets of release 1.20 cannot tell that one side has sent all.
 *
 * @throws StatusError or UpgradeError when the server refuses, TransportError when it is not reached.
 */
export async function openForwardedPod(target: Omit<StreamTarget, 'query'>): Promise<ForwardedPod> {
  const dial = upgradeDial({ ...target, query: {} }, 'portforward.orch.io');
  const connection = await openSpdyConnection(dial);
  let requests = 0;
  return {
    connect: (port, onData) => connect(connection, { port, requestId: requests++, onData }),
    closed: connection.closed,
    pause: () => connection.pause(),
    resume: () => connection.resume(),
    close: () => connection.close(),
  };
}

interface PortRequest {
  readonly port: number;
  /** Ties the two streams of a connection together. */
  readonly requestId: number;
  readonly onData: (bytes: Buffer) => void;
}

/** Two streams: one for data, and one on which the server says what goes wrong. */
async function connect(
  connection: ClientConnection,
  { port, requestId, onData }: PortRequest,
): Promise<ForwardedConnection> {
  const headers = { port: String(port), requestID: String(requestId) };
  let failure = '';
  const errors = Promise.withResolvers<void>();
  const data = Promise.withResolvers<void>();
  const errorStream = await connection.openStream(
    { ...headers, streamType: 'error' },
    {
      onData(bytes) {
        if (failure.length < maxErrorBytes) failure += bytes.toString('utf8');
      },
      onEnd: () => errors.resolve(),
    },
  );
  errorStream.end();
  const dataReader = { onData, onEnd: () => data.resolve() };
  const dataStream: OpenedStream = await connection.openStream(
    { ...headers, streamType: 'data' },
    dataReader,
  );
  return {
    write: (bytes) => dataStream.write(bytes),
    end: () => dataStream.end(),
    finished: Promise.all([errors.promise, data.promise]).then(() => failure),
    cancel() {
      errorStream.cancel();
      dataStream.cancel();
    },
  };
}
