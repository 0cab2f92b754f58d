import type { Connection } from './connection.ts';
import { type Answer, createTransport, type Transport, type TransportOptions } from './transport.ts';

/** A transport whose credentials of TLS can be replaced while requests are under way. */
export interface SwitchableTransport {
  readonly transport: Transport;
  /** Requests from now on go over new connections; those under way, watches among them, end over theirs. */
  switchTo(connection: Connection): void;
}

/** A transport with the settings of `connection`, until it is told others. */
export function createSwitchableTransport(
  connection: Connection,
  options: TransportOptions = {},
): SwitchableTransport {
  let current = openLine(connection, options);
  const retired = new Set<Line>();
  const transport: Transport = (request) => current.send(request);
  transport.close = () => {
    current.close();
    for (const line of retired) line.close();
    retired.clear();
  };
  return {
    transport,
    switchTo(next) {
      const former = current;
      current = openLine(next, options);
      retired.add(former);
      former.retire(() => retired.delete(former));
    },
  };
}

/** Connections with one set of credentials. */
interface Line {
  readonly send: Transport;
  /** Closes it when its last request has ended. */
  retire(onClosed: () => void): void;
  close(): void;
}

function openLine(connection: Connection, options: TransportOptions): Line {
  const transport = createTransport(connection, options);
  let underWay = 0;
  let onIdle = (): void => {};
  const leave = (): void => {
    if (--underWay === 0) onIdle();
  };
  return {
    async send(request) {
      underWay++;
      try {
        return withEnd(await transport(request), leave);
      } catch (error) {
        leave();
        throw error;
      }
    },
    retire(onClosed) {
      onIdle = () => {
        transport.close?.();
        onClosed();
      };
      if (underWay === 0) onIdle();
    },
    close: () => transport.close?.(),
  };
}

/** The answer, which calls back once when its body was read or given up. */
function withEnd(answer: Answer, onEnd: () => void): Answer {
  let hasEnded = false;
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    onEnd();
  };
  return {
    ...answer,
    chunks: endAfter(answer.chunks, end),
    close() {
      answer.close();
      end();
    },
  };
}

async function* endAfter(chunks: AsyncIterable<Buffer>, onEnd: () => void): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } finally {
    onEnd();
  }
}
