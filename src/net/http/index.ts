/**
 * HTTP listeners of the server and of the agent: connections, TLS, HTTP/1.1 and HTTP/2 on one port, requests for other
 * protocols, limits. What requests mean is for others.
 */
export { bearerToken, isTrusted, type PeerCertificate, peerCertificateOf } from './credentials.ts';
export { Incoming } from './incoming.ts';
export type { ListenerLimits } from './limits.ts';
export { HttpListener, type ListenerOptions } from './listener.ts';
export type { ServedPair, ServedTls } from './named-contexts.ts';
export {
  type AnyRequest,
  type AnyResponse,
  type ConnectionUpgrade,
  connectionOf,
  headerValues,
  removeHeaders,
  sendHead,
} from './request.ts';
export { parseQuery } from './target.ts';
export { writeUpgradeHead } from './upgrade-head.ts';
export { acceptWebSocket, WebSocketError, type WebSocketOptions } from './websocket.ts';
