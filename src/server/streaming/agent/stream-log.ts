import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import { chunksOf } from '../../../base/index.ts';
import { badRequest, otherFailure } from '../../../machinery/errors/index.ts';
import { describeDialError, formatAuthority } from '../../../net/dial/index.ts';
import { type ConnectionUpgrade, sendHead } from '../../../net/http/index.ts';
import type { Exchange } from '../../request/exchange.ts';
import { warningHeader } from '../../request/respond.ts';
import { openWebSocket } from '../websocket-outlet.ts';
import { agentFailure, readFailureText } from './agent-failure.ts';
import type { Backend } from './backend.ts';
import type { BackendClient } from './backend-client.ts';
import { relayBody, unpacked } from './relay.ts';

/** The log that a client requests, and the agent that has it. */
export interface LogSource {
  readonly backend: Backend;
  /** Path and query at the agent. */
  readonly target: string;
  /** What the client asked for, for the texts of failures. */
  readonly resource: string;
  readonly name: string;
}

/**
 * Answers with a log as the agent sends it. What breaks off in the middle ends there, as in release 1.20.
 *
 * @throws StatusError with the agent's failure, 500 when it is not reached.
 */
export async function streamLog(exchange: Exchange, client: BackendClient, source: LogSource): Promise<void> {
  const answer = await fetchLog(exchange, client, source);
  if (exchange.upgrade !== undefined) return sendLogMessages(exchange, exchange.upgrade, answer);
  const { response, auditId } = exchange;
  exchange.answerType = 'text/plain';
  response.writeHead(200, {
    'audit-id': auditId,
    'cache-control': 'no-cache, private',
    'content-type': exchange.answerType,
    ...warningHeader(exchange),
  });
  // A client that follows sees at once that its request was taken.
  sendHead(response);
  await relayBody(answer, exchange);
  response.end();
}

async function fetchLog({ signal }: Exchange, client: BackendClient, source: LogSource): Promise<Readable> {
  const { backend, target } = source;
  const authority = formatAuthority(backend);
  const url = `${backend.scheme}://${authority}${target}`;
  const failed = (where: string, what: string) =>
    otherFailure(500, '', `Get ${JSON.stringify(where)}: ${what}`);
  // As Go's client says by itself.
  const headers = { host: authority, 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' };
  let answer: IncomingMessage;
  try {
    answer = await client.send(backend, { method: 'GET', target, headers }, signal);
  } catch (error) {
    throw failed(url, describeDialError(error, backend));
  }
  const code = answer.statusCode ?? 0;
  const { body } = unpacked(answer);
  if (code >= 200 && code <= 206) return body;
  const { location } = answer.headers;
  if (code >= 300 && code < 400 && location !== undefined && URL.canParse(location, url)) {
    answer.destroy();
    throw failed(new URL(location, url).href, 'redirects forbidden');
  }
  throw agentFailure(code, await readFailureText(body), source);
}

/** Protocols of such a WebSocket, without the product's domain: bytes as they are, or as base64. */
const binary = /^binary\.[a-z\d.]+$/;
const base64 = /^base64\.binary\.[a-z\d.]+$/;

/** Sends a log as messages of a WebSocket: an empty one first, as release 1.20 does, then a chunk in each. */
async function sendLogMessages(
  exchange: Exchange,
  upgrade: ConnectionUpgrade,
  source: Readable,
): Promise<void> {
  try {
    const webSocket = await openWebSocket(exchange, upgrade, chooseProtocol);
    webSocket.on('error', () => {}); // it closes then, which is all there is to do
    await copyMessages(webSocket, source, exchange.signal);
    webSocket.close(1000);
  } finally {
    source.destroy();
  }
}

/** @throws StatusError 400 when a client knows none of the protocols. */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  const own = [...offered].filter((protocol) => !protocol.startsWith('base64url.bearer.'));
  const chosen = own.find((protocol) => binary.test(protocol) || base64.test(protocol));
  if (chosen === undefined && own.length > 0) {
    throw badRequest(`requested protocol(s) are not supported: [${own.join(' ')}]`);
  }
  return chosen ?? false;
}

async function copyMessages(webSocket: WebSocket, source: Readable, signal: AbortSignal): Promise<void> {
  const isBase64 = base64.test(webSocket.protocol);
  const send = (chunk: Buffer): Promise<void> =>
    new Promise((resolve) => {
      const data = isBase64 ? chunk.toString('base64') : chunk;
      webSocket.send(data, { binary: !isBase64 }, () => resolve());
    });
  const leave = () => source.destroy();
  webSocket.on('close', leave);
  signal.addEventListener('abort', leave);
  try {
    await send(Buffer.alloc(0));
    for await (const chunk of chunksOf(source)) await send(chunk);
  } catch {
    // A log that breaks off ends there.
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
