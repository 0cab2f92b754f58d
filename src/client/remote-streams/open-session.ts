import type { RemoteSession, SessionRequest } from './session.ts';

/**
 * Opens the streams of a process: over a WebSocket, or over SPDY where the input has an end, which WebSockets of release
 * 1.20 cannot tell. A terminal's input has none.
 *
 * @throws StatusError or UpgradeError when the server refuses, TransportError when it is not reached.
 */
export async function openRemoteSession(request: SessionRequest): Promise<RemoteSession> {
  if (request.hasStdin && !request.isTty) {
    const { openSpdySession } = await import('./spdy-session.ts');
    return openSpdySession(request);
  }
  const { openWebSocketSession } = await import('./websocket-session.ts');
  return openWebSocketSession(request);
}
