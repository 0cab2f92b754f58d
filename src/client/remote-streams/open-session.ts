import { isReason } from '../../machinery/errors/index.ts';
import type { RemoteSession, SessionRequest } from './session.ts';

/**
 * Opens the streams of a process: over a WebSocket, or over SPDY where the input has an end, which WebSockets of release
 * 1.20 cannot tell. A terminal's input has none.
 *
 * @throws StatusError or UpgradeError when the server refuses, TransportError when it is not reached.
 */
export async function openRemoteSession(request: SessionRequest): Promise<RemoteSession> {
  if (request.hasStdin && !request.isTty) return openOverSpdy(request);
  const { openWebSocketSession } = await import('./websocket-session.ts');
  try {
    return await openWebSocketSession(request);
  } catch (error) {
    // A WebSocket begins with GET, which counts as reading; roles for sessions name the verb of SPDY's POST.
    if (isReason(error, 'Forbidden')) return openOverSpdy(request);
    throw error;
  }
}

async function openOverSpdy(request: SessionRequest): Promise<RemoteSession> {
  const { openSpdySession } = await import('./spdy-session.ts');
  return openSpdySession(request);
}
