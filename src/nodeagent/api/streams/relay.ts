import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { errorText, splice } from '../../../base/index.ts';
import { writeUpgradeHead } from '../../../net/http/index.ts';
import type { AgentExchange } from '../http/exchange.ts';
import { sendLine } from '../http/respond.ts';
import { fromRuntimeHeaders, type ProtocolDialects, toRuntimeHeaders } from './protocol-names.ts';

/** How streams are handed over. */
export interface RelayOptions {
  readonly dialects: ProtocolDialects;
  /** A stream on which nothing moves for so long is closed; 0 for never. */
  readonly idleTimeoutMs: number;
}

/**
 * Relays a client's connection to the runtime's streaming server, whatever protocol both speak; only names of protocols
 * in the headers are translated.
 */
export async function relay(exchange: AgentExchange, url: string, options: RelayOptions): Promise<void> {
  const { upgrade, request, method, signal } = exchange;
  if (upgrade === undefined) return sendLine(exchange, 500, 'Upgrade request required');
  const headers = toRuntimeHeaders(request.rawHeaders, options.dialects);
  let answer: Awaited<ReturnType<typeof connectRuntime>>;
  try {
    answer = await connectRuntime(url, { method, headers, signal });
  } catch (error) {
    const why = errorText(error);
    return sendLine(exchange, 500, `error dialing backend: ${why}`);
  }
  if (answer.kind === 'answered') return passOn(exchange, answer.answer);
  writeUpgradeHead(upgrade, answer.head, fromRuntimeHeaders(answer.head.rawHeaders, options.dialects));
  if (upgrade.head.length > 0) answer.socket.write(upgrade.head);
  if (answer.first.length > 0) upgrade.socket.write(answer.first);
  return splice(upgrade.socket, answer.socket, { idleTimeoutMs: options.idleTimeoutMs, signal });
}

/** The streaming server has refused the upgrade: its answer is passed to the client. */
async function passOn({ response }: AgentExchange, answer: IncomingMessage): Promise<void> {
  const type = answer.headers['content-type'];
  response.writeHead(answer.statusCode ?? 500, {
    ...(type === undefined ? {} : { 'Content-Type': type }),
    Connection: 'close',
  });
  await pipeline(answer, response).catch(() => response.destroy());
}

/** The runtime's streaming server's answer to a request for another protocol. */
type RuntimeAnswer =
  | {
      readonly kind: 'upgraded';
      readonly head: IncomingMessage;
      readonly socket: Duplex;
      readonly first: Buffer;
    }
  | { readonly kind: 'answered'; readonly answer: IncomingMessage };

/** A request for another protocol. */
interface RuntimeRequest {
  readonly method: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly signal: AbortSignal;
}

const connectTimeoutMs = 30_000;

/** Sends a request for another protocol to the runtime's streaming server. Rejects when it cannot be reached. */
async function connectRuntime(url: string, request: RuntimeRequest): Promise<RuntimeAnswer> {
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
  return protocol === 'https:' ? (await import('node:https')).request : httpRequest;
}
