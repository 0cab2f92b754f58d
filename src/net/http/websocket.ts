import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { errorText } from '../../base/index.ts';
import type { AnyRequest, ConnectionUpgrade } from './request.ts';

/** How a WebSocket is accepted. */
export interface WebSocketOptions {
  /** Longest message that the client may send. */
  readonly maxMessageBytes: number;
  /** The protocol to speak, of those that the client offers; false for none of them. What it throws is passed on. */
  readonly chooseProtocol: (offered: ReadonlySet<string>) => string | false;
}

/** The request is no proper one for a WebSocket (RFC 6455, section 4.2.1), or the client has left. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
}

/**
 * Turns the connection of a request into a WebSocket. Messages that arrive before a listener is attached are lost.
 *
 * @throws WebSocketError, and what `chooseProtocol` throws.
 */
export async function acceptWebSocket(
  request: AnyRequest,
  { socket, head }: ConnectionUpgrade,
  { maxMessageBytes, chooseProtocol }: WebSocketOptions,
): Promise<WebSocket> {
  // Most clients do not need it.
  const { WebSocketServer } = await import('ws');
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    handleProtocols: chooseProtocol,
  });
  const refused = once(server, 'wsClientError').then(([error]) => {
    // The library tells an error what the request lacks.
    throw new WebSocketError(`the connection cannot become a WebSocket: ${errorText(error)}`);
  });
  const gone = once(socket, 'close').then(() => {
    throw new WebSocketError('the client has left');
  });
  const accepted = new Promise<WebSocket>((resolve) => {
    // Upgrades are offered by HTTP/1.1 only.
    server.handleUpgrade(request as Parameters<typeof server.handleUpgrade>[0], socket, head, resolve);
  });
  return await Promise.race([accepted, refused, gone]);
}
