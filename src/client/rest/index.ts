/**
 * Typed requests to one API server over `node:https`: kept-alive connections, Status to StatusError, retries when
 * the server asks for them, watch streams. It knows paths and bytes; kinds and lists of resources are for others.
 */
export { chooseAuthorities } from './authorities.ts';
export { createRestClient, hostOf, type RestClient, type RestClientOptions } from './client.ts';
export { type AuthOptions, authHeaders, type Connection, type TlsOptions } from './connection.ts';
export { limitRate, type RateLimit } from './limit-rate.ts';
export type {
  CollectionRequest,
  ListPage,
  LocalCollection,
  LocalCollections,
  LocalEvent,
  LocalRequest,
} from './local-collections.ts';
export type { EncodedEvent, EventReader, ObjectEncoding } from './object-encoding.ts';
export {
  formatQuery,
  type QueryValue,
  type ResourcePath,
  type RestRequest,
  type RestResponse,
  type RestStream,
  resourcePath,
} from './request.ts';
export { readServerDialect } from './server-dialect.ts';
export { createSwitchableTransport, type SwitchableTransport } from './switchable-transport.ts';
export { maskHeaders, type RequestTrace, type TracedRequest, type TracedResponse } from './trace.ts';
export { type Answer, createTransport, type Transport, tlsSettings, type WireRequest } from './transport.ts';
export { TransportError, type TransportErrorCode, toTransportError } from './transport-error.ts';
export { createUnreliableTransport, type UnreliableTransportOptions } from './unreliable-transport.ts';
export { splitLines, type WatchEvent, watchEvents } from './watch-stream.ts';
