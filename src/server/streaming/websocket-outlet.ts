import type { WebSocket } from 'ws';
import { badRequest } from '../../machinery/errors/index.ts';
import { acceptWebSocket, type ConnectionUpgrade, WebSocketError } from '../../net/http/index.ts';
import type { Exchange } from '../request/exchange.ts';
import type { StreamOutlet } from './outlet.ts';

/** Longest message that a client may send; messages of clients are ignored. */
const maxMessageBytes = 1024;
/** How often the server asks whether a client is still there. One that has not answered by the next time is cut off. */
const pingIntervalMs = 30_000;

/** Bytes in front of a binary frame that say how long it is, which messages know by themselves. */
const lengthBytes = 4;

/** Turns the connection of a request to a WebSocket. @throws StatusError 400 when the request is no proper one. */
export async function openWebSocketOutlet(
  exchange: Exchange,
  upgrade: ConnectionUpgrade,
  { isBinary }: { readonly isBinary: boolean },
): Promise<StreamOutlet> {
  const webSocket = await openWebSocket(exchange, upgrade, chooseProtocol);
  webSocket.on('error', () => {}); // it closes then, which is all there is to do
  keepAsking(webSocket);
  const { socket } = upgrade;
  return {
    get bufferedBytes() {
      return webSocket.bufferedAmount;
    },
    /** One message for each event: text, or bytes without the length that is in front of them elsewhere. */
    write(frames) {
      socket.cork();
      for (const frame of frames) {
        webSocket.send(isBinary ? frame.subarray(lengthBytes) : frame, { binary: isBinary });
      }
      socket.uncork();
    },
    onceDrained(callback) {
      socket.once('drain', callback);
      return () => socket.off('drain', callback);
    },
    onClose: (callback) => void webSocket.on('close', callback),
    end: () => webSocket.close(1000),
    destroy: () => webSocket.terminate(),
  };
}

/**
 * The WebSocket that a request asks for, with one of the protocols that it offers.
 *
 * @throws StatusError 400 when the request is no proper one, and what `chooseProtocol` throws.
 */
export async function openWebSocket(
  { request, response, audit }: Exchange,
  upgrade: ConnectionUpgrade,
  chooseProtocol: (offered: ReadonlySet<string>) => string | false,
): Promise<WebSocket> {
  response.statusCode = 101; // for the log and the metrics
  try {
    const webSocket = await acceptWebSocket(request, upgrade, { maxMessageBytes, chooseProtocol });
    audit?.noteUpgrade();
    return webSocket;
  } catch (error) {
    if (error instanceof WebSocketError) throw badRequest(error.message);
    throw error;
  }
}

/**
 * Messages are the same in all protocols, so any is accepted, except one that carries a bearer token: it must not be
 * echoed.
 */
function chooseProtocol(offered: ReadonlySet<string>): string | false {
  for (const protocol of offered) if (!protocol.startsWith('base64url.bearer.')) return protocol;
  return false;
}

function keepAsking(webSocket: WebSocket): void {
  let isThere = true;
  webSocket.on('pong', () => {
    isThere = true;
  });
  const timer = setInterval(() => {
    if (!isThere) return webSocket.terminate();
    isThere = false;
    webSocket.ping();
  }, pingIntervalMs);
  timer.unref();
  webSocket.on('close', () => clearInterval(timer));
}
