/**
 * Connections over which an API server hands the streams of a process or of a port of a pod through: what is sent
 * and received on them. What users type, and terminals, are for others.
 */
export { ForeignProtocolError, LostConnectionError, RemoteExitError, UpgradeError } from './errors.ts';
export { type ForwardedConnection, type ForwardedPod, openForwardedPod } from './forwarded-pod.ts';
export { openRemoteSession } from './open-session.ts';
export { decodeResult } from './result.ts';
export type { RemoteSession, SessionRequest, TerminalSize } from './session.ts';
