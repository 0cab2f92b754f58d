import type { Readable } from 'node:stream';
import type { WebSocket } from 'ws';
import { chunksOf } from '../../../base/index.ts';
import { badRequest } from '../../../machinery/errors/index.ts';
import type { ConnectionUpgrade } from '../../../net/http/index.ts';
import type { Exchange } from '../../request/exchange.ts';
import { openWebSocket } from '../websocket-outlet.ts';

/** Protocols of such a WebSocket, without the product's domain: bytes as they are, or as base64. */
const binary = /^binary\.[a-z\d.]+$/;
const base64 = /^base64\.binary\.[a-z\d.]+$/;

/** Sends a log as messages of a WebSocket: an empty one first, as release 1.20 does, then a chunk in each. */
export async function sendLogMessages(
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
