import type { RemoteSession, SessionRequest } from './session.ts';
import { openWebSocketSession } from './websocket-session.ts';

/**
 * Opens the streams of a process.
 *
 * @throws StatusError or UpgradeError when the server refuses, TransportError when it is not reached.
 */
export function openRemoteSession(request: SessionRequest): Promise<RemoteSession> {
  return openWebSocketSession(request);
}
