/**
 * The HTTP side of the API server: listener, filters, handlers, authentication, authorization, health and metrics.
 * It stores nothing itself (`registry` does) and knows no kind beside what endpoints tell it.
 */
export { type ApiHandlerOptions, createApiHandler } from './api-server.ts';
export { type Authorizer, authorizersFor } from './authorization/index.ts';
export { buildEndpoints } from './build-endpoints.ts';
export type { OriginTest } from './filters/cors.ts';
export { createDeprecationNotice } from './handlers/deprecation.ts';
export type { SpecialHandlers } from './handlers/dispatch.ts';
export type { HandlerContext } from './handlers/endpoint.ts';
export { ProtobufFrames } from './handlers/protobuf-frames.ts';
export { readSelection } from './handlers/selection.ts';
export { unknownPath } from './handlers/unknown-path.ts';
export { createVersionHandler } from './handlers/version.ts';
export { cachedBytes } from './handlers/write-object.ts';
export { Health, StartHooks } from './health.ts';
export { buildHealthChecks } from './health-checks.ts';
export { ServerMetrics } from './metrics.ts';
export type { Handler } from './request/exchange.ts';
export { Negotiator } from './request/negotiate.ts';
export { respondValue } from './request/respond.ts';
export { upgradeTest } from './request/upgrade-test.ts';
export { serveRequests } from './serve-requests.ts';
export { createPiecePool } from './streaming/piece-pool.ts';
export { createWatchDelivery } from './streaming/watch-delivery.ts';
