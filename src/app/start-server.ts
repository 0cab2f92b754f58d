import { tmpdir } from 'node:os';
import type { SecureContextOptions } from 'node:tls';
import { type AddressRange, nthAddress, parseCidr } from '../apis/core/index.ts';
import { type Clock, createSystemTurns, type Logger, systemClock, type TurnQueue } from '../base/index.ts';
import {
  etcdServers,
  opensslCipherList,
  runtimeTlsVersion,
  type ServeConfig,
} from '../config/serve/index.ts';
import { HttpListener } from '../net/http/index.ts';
import { createStoredForms, storageKinds } from '../registry/index.ts';
import { clientCertificateAuthenticator, serveRequests, tokenFileAuthenticator } from '../server/index.ts';
import { createMaintenanceHandlers } from '../server/maintenance/index.ts';
import { isWildcard, keepServingCertificate } from '../server/pki/index.ts';
import { createVersionedStorage, StorageError } from '../storage/index.ts';
import { defaultEventWindow, defaultSnapshotLimits, openWatchCache } from '../storage/watch-cache/index.ts';
import { adminClientConfig } from './admin-config.ts';
import { type ApiModel, createApiModel } from './api-model.ts';
import { type BootstrapSources, bootstrap } from './bootstrap.ts';
import { type Api, buildApi } from './build-api.ts';
import { limitEvents } from './limit-events.ts';
import { createLoopbackAccess } from './loopback-access.ts';
import { maintainStore } from './maintain-store.ts';
import { openAgentAccess } from './open-agent-access.ts';
import { openAuditLog } from './open-audit-log.ts';
import { openStorage } from './open-storage.ts';
import { createOriginTest } from './origin-test.ts';
import { advertiseAddress, openOwnEndpoints } from './own-endpoints.ts';
import { repeat } from './repeat.ts';
import { checkControllerNames, runControllers, type SharedTask } from './run-controllers.ts';
import type { RunningServer, ServerStart } from './run-serve.ts';
import { openIdentity, readTokenFile, type ServerIdentity } from './server-identity.ts';
import { openTokenTrust } from './service-account-tokens.ts';
import { sharedTokenKey } from './shared-token-key.ts';

/** How long open requests may take to end once the server stops. */
const stopGraceMs = 10_000;
/** Least time between log lines about too many connections. */
const limitLogEveryMs = 60_000;
/** Time between repairs of what services hold. Source: release 1.20. */
const repairEveryMs = 3 * 60_000;
const notRepaired = 'service pools were not repaired';

/** A running server, with the administrator's certificate as it is. */
export interface StartedServer extends RunningServer {
  readonly authorityPem: string;
  readonly adminCertificatePem: string;
  readonly adminKeyPem: string;
}

/**
 * Starts an API server: storage and keys, then the cache over storage, the listener, bootstrap objects, controllers.
 * It is ready when the promise resolves.
 *
 * @throws StorageError, PkiError or OptionsError with what keeps it from starting; nothing is left open then.
 */
export async function startServer(start: ServerStart): Promise<StartedServer> {
  const { config, dialect, paths, logger } = start;
  const clock = systemClock;
  const turns = createSystemTurns();
  await checkControllerNames(config.controllers);
  const model = createApiModel(config, dialect);
  const addresses = serviceRange(config);
  const audit = await openAuditLog(config, dialect);
  await using opened = new AsyncDisposableStack();
  const [identity, driver] = await Promise.all([
    openIdentity({
      config,
      dialect,
      keyDirectory: paths.keyDirectory,
      firstServiceAddress: nthAddress(addresses, 1),
      nowMs: () => clock.nowMs(),
    }),
    openStorage({
      url: paths.storageUrl,
      config,
      dialect,
      logger,
      clock,
      turns,
    }).then((opening) => opened.use(opening)),
  ]);
  const storage = createVersionedStorage(driver, storedFormsOf(model, logger));
  const { selectableFields, fieldLayout } = model;
  const historyMs = config.etcdCompactionIntervalMs;
  const watchCache = opened.use(
    await openWatchCache({
      storage,
      root: model.root,
      logger,
      clock,
      selectableFields,
      fieldLayout,
      eventWindow: { ...defaultEventWindow, maxAgeMs: historyMs },
      snapshotLimits: { ...defaultSnapshotLimits, maxAgeMs: historyMs },
    }),
  );
  const loopback = createLoopbackAccess();
  const tokenFiles = await openTokenFiles(config);
  let isStopping = false;
  let port = config.securePort;
  const api = buildApi({
    config,
    model,
    clock,
    logger,
    storage,
    watchCache,
    addresses,
    authenticators: [clientCertificateAuthenticator(), ...tokenFiles, loopback.authenticator],
    tokenAuthenticators: tokenFiles,
    tokens: await openTokenTrust(config, dialect, identity.pki.serviceAccountKey),
    listTokenKey: etcdServers(config) === undefined ? undefined : await sharedTokenKey(storage, model.root),
    audit,
    isOriginAllowed: await createOriginTest(config.corsAllowedOrigins),
    agents: await openAgentAccess({
      config,
      dialect,
      gates: model.gates,
      ownPair: () => identity.pki.agentClient,
    }),
    paths: createMaintenanceHandlers({
      maintenance: maintainStore({
        // Looks after what is stored, in whatever version it is.
        storage: driver,
        url: paths.storageUrl,
        dialect: dialect.name,
        root: model.root,
      }),
      temporaryDirectory: paths.dataDirectory ?? tmpdir(),
    }),
    unhandledRejections: start.unhandledRejections,
    isStopping: () => isStopping,
    advertised: () => `${formatHost(advertiseAddress(config) ?? localAddress(config))}:${port}`,
  });
  if (api.auditor !== undefined) opened.use(api.auditor);
  const http = listenerFor({ config, identity, clock, logger, turns, api });
  port = await http.listen();
  opened.defer(() => http.stop(stopGraceMs));
  opened.defer(
    keepFresh(identity, http, {
      config,
      clock,
      onError: (error) => logger.error('certificate check failed', { error }),
    }),
  );
  await repairFirst(api, logger);
  const endpoints = await openOwnEndpoints({ config, model, storage, clock, logger });
  const sources: BootstrapSources = {
    stores: api.stores,
    model,
    nowMs: clock.nowMs(),
    advertiseAddresses: endpoints.addresses,
    securePort: port,
    firstServiceAddress: nthAddress(addresses, 1),
    clientAuthorityPem: identity.clientAuthorities.join(''),
  };
  await bootstrap(sources);
  api.hooks.finishAll();
  const url = `https://${formatHost(localAddress(config))}:${port}`;
  const { authorityPem, admin } = identity.pki;
  const { token } = loopback;
  const connect = () => http.connect();
  const tasks = sharedTasks({ config, api, clock, logger });
  opened.defer(await runControllers({ config, dialect, logger, clock, connect, token, authorityPem, tasks }));
  // Stopped first: clients shall go elsewhere before this server ends.
  opened.defer(endpoints.keep(sources));
  const resources = opened.move();
  return {
    url,
    authorityPem,
    adminCertificatePem: admin.certificatePem,
    adminKeyPem: admin.privateKeyPem,
    clientConfig: adminClientConfig({ url, authorityPem, ...admin }),
    async stop() {
      if (isStopping) return;
      isStopping = true;
      await delay(config.shutdownDelayMs);
      await resources.disposeAsync();
    },
  };
}

/** Objects of all versions that may be stored, as the verbs know them. */
function storedFormsOf(
  { dialect, catalog, applyDefaults, storageVersions, table, root }: ApiModel,
  logger: Logger,
) {
  return createStoredForms({
    dialect,
    catalog,
    applyDefaults,
    writtenVersions: storageVersions,
    storageKinds: storageKinds(table, root),
    logger,
  });
}

/** @throws RangeError for a range that no address can be taken from. */
function serviceRange(config: ServeConfig): AddressRange {
  const text = config.serviceClusterIpRange[0] ?? '';
  const range = parseCidr(text);
  if (range === undefined || range.usableCount < 1) {
    throw new RangeError(`--service-cluster-ip-range: ${JSON.stringify(text)} has no address to give out`);
  }
  return range;
}

/** What keeps the services from being repaired keeps nothing else from being served. */
async function repairFirst({ repairServices }: Api, logger: Logger): Promise<void> {
  try {
    await repairServices?.();
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'unreadable') throw error;
    logger.error(notRepaired, { error });
  }
}

/** Work that the servers of a store leave to one of them. */
function sharedTasks({
  config,
  api: { stores, repairServices },
  clock,
  logger,
}: Pick<ListenerSources, 'config' | 'api' | 'clock'> & { readonly logger: Logger }): SharedTask[] {
  const tasks: SharedTask[] = [];
  const events = stores.stores.get('/events');
  const maxCount = config.maxEvents;
  if (events !== undefined && maxCount > 0) {
    tasks.push((signal) => limitEvents({ store: events, maxCount, clock, logger, signal }));
  }
  if (repairServices !== undefined) {
    const onError = (error: unknown) => logger.error(notRepaired, { error });
    tasks.push((signal) => repeat(repairServices, { clock, intervalMs: repairEveryMs, signal, onError }));
  }
  return tasks;
}

/** Users of `--token-auth-file`. @throws OptionsError when the file cannot be used. */
async function openTokenFiles(config: ServeConfig): Promise<ReturnType<typeof tokenFileAuthenticator>[]> {
  const path = config.tokenAuthFile;
  return path === undefined ? [] : [tokenFileAuthenticator(await readTokenFile(path))];
}

interface ListenerSources {
  readonly config: ServeConfig;
  readonly identity: ServerIdentity;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly turns: TurnQueue;
  readonly api: Api;
}

function listenerFor({ config, identity, clock, logger, turns, api }: ListenerSources): HttpListener {
  const { handler, metrics } = api;
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
  { tls, clientAuthorities }: Pick<ServerIdentity, 'tls' | 'clientAuthorities'>,
): SecureContextOptions {
  const minVersion = config.tlsMinVersion;
  const suites = config.tlsCipherSuites;
  return {
    cert: tls.certificatePem,
    key: tls.privateKeyPem,
    ca: [...clientAuthorities],
    minVersion: minVersion === undefined ? 'TLSv1.2' : runtimeTlsVersion(minVersion),
    ...(suites.length === 0 ? {} : { ciphers: opensslCipherList(suites) }),
  };
}

function keepFresh(
  identity: ServerIdentity,
  http: HttpListener,
  {
    config,
    clock,
    onError,
  }: Pick<ListenerSources, 'config' | 'clock'> & { readonly onError: (error: unknown) => void },
): () => void {
  return keepServingCertificate({
    refresh: () => identity.refresh(),
    onRenewed: (tls) => http.setTls(tlsContext(config, { ...identity, tls })),
    onError,
    clock,
  });
}

/** The address at which this machine reaches the server. */
function localAddress(config: ServeConfig): string {
  const bound = config.bindAddress;
  return isWildcard(bound) ? '127.0.0.1' : bound;
}

const formatHost = (address: string): string => (address.includes(':') ? `[${address}]` : address);

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
