import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { errorText, splice } from '../../../base/index.ts';
import { writeUpgradeHead } from '../../../net/http/index.ts';
import type { AgentExchange } from '../http/exchange.ts';

import { sendLine } from '../http/respond.ts';
import { connectRuntime } from './connect-runtime.ts';
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
