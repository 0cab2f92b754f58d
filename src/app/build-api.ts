import { versionConversions } from '../apis/conversions/index.ts';
import type { AddressRange } from '../apis/core/index.ts';
import { kindRules } from '../apis/index.ts';
import { buildDiscovery, listServicePaths } from '../apis/resources/index.ts';
import type { Clock, Logger } from '../base/index.ts';
import { effectiveAdmissionPlugins, isControllerEnabled, type ServeConfig } from '../config/serve/index.ts';
import { buildStores, decodeStored, ServiceAllocator, type Stores } from '../registry/index.ts';
import { createAdmissionChain, createAdmissionReader } from '../server/admission/index.ts';
import {
  type Authenticator,
  type Authorizer,
  authorizersFor,
  boundObjectsOf,
  buildEndpoints,
  buildHealthChecks,
  chainAuthenticators,
  createApiHandler,
  type Handler,
  Health,
  Negotiator,
  respondValue,
  ServerMetrics,
  ServiceAccountVerifier,
  type SpecialHandlers,
  StartHooks,
  serviceAccountAuthenticator,
  TokenIssuer,
  unknownPath,
} from '../server/index.ts';
import { createIssuerHandlers } from '../server/issuer/index.ts';
import { createSubresourceHandlers } from '../server/subresources/index.ts';
import {
  createVirtualHandlers,
  everyRule,
  standardComponents,
  unknownRules,
} from '../server/virtual/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import { type ApiModel, storageRoot } from './api-model.ts';
import { createEnvironment } from './rule-environment.ts';
import type { TokenTrust } from './service-account-tokens.ts';
import { versionInfo } from './version-info.ts';

/** What an API is built on. */
export interface ApiSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly addresses: AddressRange;
  /** Authenticators that need no stores; service account tokens are added to them. */
  readonly authenticators: readonly Authenticator[];
  readonly tokens: TokenTrust;
  /** True once a graceful end began. */
  readonly isStopping: () => boolean;
  /** `host:port` that discovery names; known when the listener is. */
  readonly advertised: () => string;
}

/** A built API: its stores, and the handler of all requests. */
export interface Api {
  readonly stores: Stores;
  readonly handler: Handler;
  /** Start hooks of the health checks; each is finished when its part of the start is. */
  readonly hooks: StartHooks;
}

/** Builds stores, endpoints and filters. Nothing runs yet. */
export function buildApi(sources: ApiSources): Api {
  const { config, model, clock, logger, storage, watchCache } = sources;
  const { dialect, catalog, table } = model;
  const stores = createStores(sources);
  const negotiator = new Negotiator(dialect, dialect.protobufMediaType);
  const context = {
    dialect,
    catalog,
    negotiator,
    nowMs: () => clock.nowMs(),
    metaGroup: dialect.group('meta'),
    minRequestTimeoutMs: config['min-request-timeout'] * 1000,
    random: Math.random,
  };
  const { printerOf, fieldsOf } = model;
  const endpoints = buildEndpoints({ table, stores, context, printerOf, fieldsOf });
  const hooks = new StartHooks();
  const { isStopping } = sources;
  const checks = buildHealthChecks({
    storage,
    watchCache,
    hooks,
    spell: (text) => dialect.spell(text),
    isShuttingDown: isStopping,
    checkLog() {},
  });
  const health = new Health({
    checks,
    livezGraceMs: config['livez-grace-period'],
    startedAtMs: clock.nowMs(),
    nowMs: () => clock.nowMs(),
  });
  const metrics = new ServerMetrics({
    storageStats: () => storage.stats(),
    isServed: (info) => endpoints.has(`${info.group}/${info.version}/${info.resource}`),
  });
  const serviceAccounts = new ServiceAccountVerifier({
    dialect,
    ...sources.tokens,
    lookup: boundObjectsOf(stores),
    nowMs: () => clock.nowMs(),
  });
  const authenticator = chainAuthenticators(
    [...sources.authenticators, serviceAccountAuthenticator(serviceAccounts)],
    { allowsAnonymous: config['anonymous-auth'] },
  );
  const authorizer = authorizersFor(config['authorization-mode']);
  const handler = createApiHandler({
    clock,
    logger,
    authenticator,
    authorizer,
    inFlightLimits: {
      maxReadOnly: config['max-requests-inflight'],
      maxMutating: config['max-mutating-requests-inflight'],
    },
    requestTimeoutMs: config['request-timeout'],
    metrics,
    health,
    negotiator,
    endpoints,
    special: specialHandlers(sources, { stores, authenticator, authorizer, serviceAccounts }),
    discovery: buildDiscovery(table, {
      addresses: [{ clientCIDR: '0.0.0.0/0', serverAddress: sources.advertised() }],
      otherPaths: listServicePaths(table),
    }),
    paths: new Map<string, Handler>([
      ['/version', async (exchange) => respondValue(exchange, 200, versionInfo())],
      ...createIssuerHandlers({ ...sources.tokens, serverUrl: () => `https://${sources.advertised()}` }),
    ]),
    unknownPath: unknownPath((text) => dialect.spell(text)),
  });
  return { stores, handler, hooks };
}

interface SpecialSources {
  readonly stores: Stores;
  readonly authenticator: Authenticator;
  readonly authorizer: Authorizer;
  readonly serviceAccounts: ServiceAccountVerifier;
}

function specialHandlers(sources: ApiSources, special: SpecialSources): SpecialHandlers {
  const { config, model, clock, storage, tokens } = sources;
  const { dialect } = model;
  const { stores } = special;
  const runsControllers = isControllerEnabled(config.controllers, 'garbagecollector', { onByDefault: true });
  return {
    subresources: createSubresourceHandlers({
      stores,
      tokenIssuer: new TokenIssuer({ dialect, ...tokens, nowMs: () => clock.nowMs() }),
    }),
    virtual: createVirtualHandlers({
      ...special,
      dialect,
      audiences: tokens.audiences,
      rules: config['authorization-mode'].includes('AlwaysAllow') ? everyRule : unknownRules,
      components: standardComponents({
        pingStorage: () => storage.ping(),
        runsControllers: () => runsControllers,
        runsScheduler: () => false,
      }),
    }),
  };
}

function createStores(sources: ApiSources): Stores {
  const { config, model, clock, storage, watchCache, addresses } = sources;
  const { dialect, catalog, gates, table, applyDefaults } = model;
  const allocator = new ServiceAllocator({
    addresses,
    ports: config['service-node-port-range'],
    random: Math.random,
  });
  // Plugins look things up in the stores that they guard.
  let stores: Stores | undefined;
  const admission = createAdmissionChain({
    plugins: effectiveAdmissionPlugins({
      enable: config['enable-admission-plugins'],
      disable: config['disable-admission-plugins'],
    }),
    dialect,
    read: createAdmissionReader((group, resource) => stores?.stores.get(`${group}/${resource}`)),
    options: {
      notReadyTolerationSeconds: config['default-not-ready-toleration-seconds'],
      unreachableTolerationSeconds: config['default-unreachable-toleration-seconds'],
    },
  });
  stores = buildStores(table, {
    dialect,
    catalog,
    rules: kindRules,
    storage,
    watchCache,
    admission,
    environment: createEnvironment({
      clock,
      dialect,
      catalog,
      gates,
      allowsPrivileged: config['allow-privileged'],
    }),
    root: storageRoot,
    allocators: new Map([['/services', allocator]]),
    conversions: versionConversions(dialect, catalog),
    applyDefaults,
  });
  adoptServices(stores, allocator);
  return stores;
}

/** Services of earlier runs hold what they were given then. */
function adoptServices(stores: Stores, allocator: ServiceAllocator): void {
  const store = stores.stores.get('/services');
  if (store === undefined) return;
  for (const object of store.cache.list({ prefix: store.keyPrefix }).objects)
    allocator.adopt(decodeStored(object));
}
