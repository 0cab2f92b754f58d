/** What a listener puts up with. */
export interface ListenerLimits {
  /** How long the head of a request may take to arrive, counted from the connection or from its first byte. */
  readonly headersTimeoutMs: number;
  /** How long a request may wait for the next byte of a body. */
  readonly bodyTimeoutMs: number;
  /** How long an answer that is complete may wait for its client to read the next byte. */
  readonly answerTimeoutMs: number;
  /** How fast it must be read at the least where a write of many bytes does not tell of its parts. */
  readonly minReadBytesPerMs: number;
  /** How long an HTTP/1.1 connection stays open without a request. */
  readonly keepAliveTimeoutMs: number;
  /** Longest head of a request. */
  readonly maxHeaderBytes: number;
  /** Connections that are open at the same time. */
  readonly maxConnections: number;
  /** Those among them whose clients have not proved who they are. */
  readonly maxUnauthenticated: number;
}

/** What listeners put up with where nothing else is said. */
const defaultLimits = {
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  answerTimeoutMs: 60_000,
  minReadBytesPerMs: 32,
  // Longer than clients keep unused connections, so that they close first.
  keepAliveTimeoutMs: 180_000,
  maxHeaderBytes: 1024 * 1024,
  maxConnections: 20_000,
};

/** Share of the connections that clients may have who have not proved who they are. */
const unauthenticatedShare = 0.25;
/** How often slow clients are looked for, at the least. */
const maxCheckMs = 5000;

/** All limits, where some may be said. */
export function completeLimits(given: Partial<ListenerLimits> = {}): ListenerLimits {
  const limits = { ...defaultLimits, ...given };
  return { maxUnauthenticated: Math.ceil(limits.maxConnections * unauthenticatedShare), ...limits };
}

/** How often slow clients are looked for. */
export function checkIntervalMs({ headersTimeoutMs, bodyTimeoutMs }: ListenerLimits): number {
  return Math.min(maxCheckMs, headersTimeoutMs / 2, bodyTimeoutMs / 2);
}

/** Limits as options of the servers of `node:http`. Responses may take days (a log that is followed): no limit for them. */
export function serverOptions(limits: ListenerLimits) {
  return {
    headersTimeout: limits.headersTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    requestTimeout: 0,
    connectionsCheckingInterval: checkIntervalMs(limits),
  };
}
