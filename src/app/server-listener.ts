import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Clock, Logger, TurnQueue } from '../base/index.ts';
import { opensslCipherList, runtimeTlsVersion, type ServeConfig } from '../config/serve/index.ts';
import { isWildcard } from '../net/addresses/index.ts';
import { HttpListener, type ServedTls } from '../net/http/index.ts';
import { serveRequests } from '../server/index.ts';
import { keepFresh } from '../server/pki/index.ts';
import type { Api } from './build-api.ts';
import { watchExpiry } from './certificate-expiry.ts';
import type { ServerIdentity } from './server-identity.ts';

/** How long open requests may take to end once the server stops. */
const stopGraceMs = 10_000;
/** Least time between log lines about too many connections. */
const limitLogEveryMs = 60_000;

/** As release 1.20 reads the files of certificates and authorities again (apiserver, `dynamiccertificates`). */
const checkMs = 60_000;

/** What the listener of a server is made of. */
export interface ListenerSources {
  readonly config: ServeConfig;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly turns: TurnQueue;
  readonly api: Pick<Api, 'handler' | 'upgrades' | 'metrics'>;
}

/** Where a server is found. Its port may be any free one, which is known when it listens. */
export class ServerAddress {
  readonly #config: ServeConfig;
  readonly #advertiseAddress: string | undefined;
  #port: number;
  #listener: Pick<HttpListener, 'connect'> | undefined;

  constructor(config: ServeConfig, advertiseAddress: string | undefined) {
    this.#config = config;
    this.#advertiseAddress = advertiseAddress;
    this.#port = config.securePort;
  }

  get port(): number {
    return this.#port;
  }

  /** Where this machine reaches the server. */
  get url(): string {
    return `https://${this.#at(this.#localAddress)}`;
  }

  /** `host:port` that others are told: a name that was given counts most, and may bring a port of its own. */
  get advertised(): string {
    const name = this.#config.externalHostname ?? '';
    if (/:\d+$/.test(name) && isIP(name) === 0) return name;
    return this.#at(name || (this.#advertiseAddress ?? this.#localAddress));
  }

  /** A connection from within this process. @throws Error before the server listens. */
  connect(): Duplex {
    if (this.#listener === undefined) throw new Error('the server does not listen yet');
    return this.#listener.connect();
  }

  /** The port was taken. */
  listensAt(port: number, listener: Pick<HttpListener, 'connect'>): void {
    this.#port = port;
    this.#listener = listener;
  }

  get #localAddress(): string {
    const bound = this.#config.bindAddress;
    return isWildcard(bound) ? '127.0.0.1' : bound;
  }

  #at(host: string): string {
    return `${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }
}

/**
 * Listens, and renews the serving certificate in time, until `opened` is disposed of.
 *
 * @throws Error when the port cannot be taken.
 */
export async function openListener(
  sources: ListenerSources,
  address: ServerAddress,
  opened: AsyncDisposableStack,
): Promise<HttpListener> {
  const { config, identity, clock, logger } = sources;
  const http = createListener(sources);
  address.listensAt(await http.listen(), http);
  opened.defer(() => http.stop(stopGraceMs));
  opened.defer(
    keepFresh({
      refresh: () => identity.refresh(),
      onRenewed: () => http.setTls(tlsContext(config, identity)),
      onError: (error) => logger.error('certificate check failed', { error }),
      everyMs: checkMs,
      files: identity.files,
      clock,
    }),
  );
  identity.authorities.onReplaced(() => {
    http.setTls(tlsContext(config, identity));
    http.retireClients();
  });
  opened.defer(
    keepFresh({
      refresh: () => identity.authorities.refresh(),
      onRenewed: () => logger.info('other authorities of clients are believed from now on'),
      onError: (error) => logger.error('authorities of clients cannot be read again', { error }),
      everyMs: checkMs,
      files: [config.clientCaFile, config.requestheaderClientCaFile].filter((file) => file !== undefined),
      clock,
    }),
  );
  opened.defer(watchExpiry({ certificates: () => identity.certificates(), clock, logger }));
  return http;
}

function createListener({ config, identity, clock, logger, turns, api }: ListenerSources): HttpListener {
  const { handler, upgrades, metrics } = api;
  let lastLimitMs = Number.NEGATIVE_INFINITY;
  return new HttpListener({
    address: config.bindAddress,
    port: config.securePort,
    tls: {
      context: tlsContext(config, identity),
      asksForCertificate: true,
      http2: { maxConcurrentStreams: config.http2MaxStreamsPerConnection },
    },
    serve: serveRequests({ handler, nowMs: () => clock.nowMs(), turns }),
    upgrades,
    limits: { maxConnections: config.maxConnections },
    onError(error, { request }) {
      metrics.addFailure();
      logger.error('request failed without a response', {
        method: request.method,
        path: request.url?.split('?')[0],
        error,
      });
    },
    onLimit() {
      metrics.addClosedConnection();
      if (clock.nowMs() - lastLimitMs < limitLogEveryMs) return;
      lastLimitMs = clock.nowMs();
      logger.error('connection closed: too many are open', { maxConnections: config.maxConnections });
    },
  });
}

function tlsContext(
  config: ServeConfig,
  { tls, named, authorities }: Pick<ServerIdentity, 'tls' | 'named' | 'authorities'>,
): ServedTls {
  const minVersion = config.tlsMinVersion;
  const suites = config.tlsCipherSuites;
  return {
    cert: tls.certificatePem,
    key: tls.privateKeyPem,
    named,
    ca: [...authorities.pems],
    minVersion: minVersion === undefined ? 'TLSv1.2' : runtimeTlsVersion(minVersion),
    ...(suites.length === 0 ? {} : { ciphers: opensslCipherList(suites) }),
  };
}
