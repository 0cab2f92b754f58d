/** What a listener puts up with. */
export interface ListenerLimits {
  /** How long the head of a request may take to arrive, counted from the connection or from its first byte. */
  readonly headersTimeoutMs: number;
  /** How long an HTTP/1.1 connection stays open without a request. */
  readonly keepAliveTimeoutMs: number;
  /** Longest head of a request. */
  readonly maxHeaderBytes: number;
}

/** What listeners put up with where nothing else is said. */
export const defaultLimits: ListenerLimits = {
  headersTimeoutMs: 30_000,
  // Longer than clients keep unused connections, so that they close first.
  keepAliveTimeoutMs: 180_000,
  maxHeaderBytes: 1024 * 1024,
};

/** Limits as options of the servers of `node:http`. Responses may take days (a log that is followed): no limit for them. */
export function serverOptions({ headersTimeoutMs, keepAliveTimeoutMs, maxHeaderBytes }: ListenerLimits) {
  return {
    headersTimeout: headersTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: 0,
    connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
  };
}
