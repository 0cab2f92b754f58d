import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';

/** The runtime's streaming server's answer to a request for another protocol. */
export type RuntimeAnswer =
  | {
      readonly kind: 'upgraded';
      readonly head: IncomingMessage;
      readonly socket: Duplex;
      readonly first: Buffer;
    }
  | { readonly kind: 'answered'; readonly answer: IncomingMessage };

/** A request for another protocol. */
export interface RuntimeRequest {
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
}

const connectTimeoutMs = 30_000;

/** Sends a request for another protocol to the runtime's streaming server. Rejects when it cannot be reached. */
export async function connectRuntime(url: string, request: RuntimeRequest): Promise<RuntimeAnswer> {
  const target = new URL(url);
  const outgoing = (await requestFunction(target))(target, {
    method: request.method,
    // With a length, the end of the empty body is not taken for the beginning of the stream.
    headers: [...request.headers, 'Host', target.host, 'Content-Length', '0'],
    agent: false,
    timeout: connectTimeoutMs,
  });
  // The request's own `signal` option would also destroy the upgraded stream, with data still under way.
  const giveUp = (): void => void outgoing.destroy(new Error('the client has gone'));
  request.signal.addEventListener('abort', giveUp, { once: true });
  if (request.signal.aborted) giveUp();
  try {
    return await answerOf(outgoing);
  } finally {
    request.signal.removeEventListener('abort', giveUp);
  }
}

function answerOf(outgoing: ClientRequest): Promise<RuntimeAnswer> {
  return new Promise((resolve, reject) => {
    outgoing.once('upgrade', (head, socket, first) => {
      socket.setTimeout(0);
      resolve({ kind: 'upgraded', head, socket, first });
    });
    outgoing.once('response', (answer) => resolve({ kind: 'answered', answer }));
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer from the streaming server')));
    outgoing.on('error', reject); // stays attached: a later error must not be unhandled
    outgoing.end();
  });
}

type Send = (url: URL, options: RequestOptions) => ClientRequest;

async function requestFunction({ protocol }: URL): Promise<Send> {
  // Not by `import`: it would load the WebSocket client among all exports.
  return protocol === 'https:'
    ? (await import('node:https')).request
    : process.getBuiltinModule('node:http').request;
}
