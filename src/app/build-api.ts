import type { AddressRange } from '../apis/core/index.ts';
import { buildDiscovery, listServicePaths } from '../apis/resources/index.ts';
import { type Clock, createSystemSlices, type Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { createProtobufCompiler } from '../machinery/codec/protobuf/index.ts';
import { formatGroupResource, formatGroupVersion } from '../machinery/schema/index.ts';
import type { Stores } from '../registry/index.ts';
import { Auditor } from '../server/audit/index.ts';
import {
  type Authenticator,
  authorizersFor,
  boundObjectsOf,
  buildEndpoints,
  buildHealthChecks,
  chainAuthenticators,
  chainTokenAuthenticators,
  createApiHandler,
  createDeprecationNotice,
  createPiecePool,
  createVersionHandler,
  createWatchDelivery,
  type Handler,
  type HandlerContext,
  Health,
  Negotiator,
  type OriginTest,
  ProtobufFrames,
  ServerMetrics,
  ServiceAccountVerifier,
  StartHooks,
  servesResource,
  serviceAccountAuthenticator,
  type TokenAuthenticator,
  unknownPath,
} from '../server/index.ts';
import { createIssuerHandlers } from '../server/issuer/index.ts';
import { createOpenApiHandler, DocumentStore, openApiPath } from '../server/openapi/index.ts';
import type { AgentAccess } from '../server/subresources/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import type { ApiModel } from './api-model.ts';
import { createStores } from './create-stores.ts';
import type { AuditAccess } from './open-audit-log.ts';
import type { TokenTrust } from './service-account-tokens.ts';
import { createSpecialHandlers } from './special-handlers.ts';
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
  /** Whose tokens, beside service accounts', reviews know. */
  readonly tokenAuthenticators: readonly TokenAuthenticator[];
  readonly tokens: TokenTrust;
  /** Secret that signs the tokens of paged lists; that of the servers with the same signing key when left out. */
  readonly listTokenKey?: Buffer | undefined;
  readonly isOriginAllowed: OriginTest | undefined;
  /** How agents of nodes are reached; without it, without a certificate. */
  readonly agents?: AgentAccess | undefined;
  /** Where requests are recorded, if they are. */
  readonly audit?: AuditAccess | undefined;
  /** Handlers of paths beside the API. */
  readonly paths?: ReadonlyMap<string, Handler>;
  /** Rejections that nobody handled so far, for the metrics. */
  readonly unhandledRejections?: (() => number) | undefined;
  /** True once a graceful end began. */
  readonly isStopping: () => boolean;
  /** `host:port` that discovery names; known when the listener is. */
  readonly advertised: () => string;
}

/** A built API: its stores, and the handler of all requests. */
export interface Api {
  readonly stores: Stores;
  readonly handler: Handler;
  readonly metrics: ServerMetrics;
  /** Start hooks of the health checks; each is finished when its part of the start is. */
  readonly hooks: StartHooks;
  /** As `createStores` gives it. */
  readonly repairServices: (() => Promise<void>) | undefined;
  /** Present when requests are recorded; disposed of after the last one, it writes what waits. */
  readonly auditor: Auditor | undefined;
}

/** Four lists to slow clients, or many to quick ones. */
const listPieces = { pieceBytes: 256 * 1024, maxKept: 16 };

/** Builds stores, endpoints and filters. Nothing runs yet. */
export function buildApi(sources: ApiSources): Api {
  const { config, model, clock, logger, storage, tokens } = sources;
  const { dialect, catalog, table, printerOf, fieldsOf } = model;
  const nowMs = () => clock.nowMs();
  const authorizer = authorizersFor(config.authorizationMode);
  const protobuf = createProtobufCompiler(catalog);
  const { stores, repairServices } = createStores({ ...sources, authorizer, protobuf });
  const negotiator = new Negotiator(dialect, dialect.protobufMediaType);
  const context: HandlerContext = {
    dialect,
    catalog,
    decodeBody: stores.decodeBody,
    negotiator,
    protobuf,
    protobufFrames: new ProtobufFrames(protobuf),
    piecePool: createPiecePool(listPieces),
    compresses: model.gates.has('APIResponseCompression'),
    nowMs,
    authorizer,
    fieldManager: stores.fieldManager,
    metaGroup: dialect.group('meta'),
    minRequestTimeoutMs: config.minRequestTimeoutSeconds * 1000,
    random: Math.random,
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    watchDelivery: createWatchDelivery(),
    noteDeprecated: createDeprecationNotice({
      sendsWarnings: model.gates.has('WarningHeaders'),
      onRequest: (info, removedRelease) => metrics.addDeprecated(info, removedRelease),
    }),
  };
  const endpoints = buildEndpoints({ table, stores, context, printerOf, fieldsOf });
  const hooks = new StartHooks();
  const metrics = new ServerMetrics({
    storageStats: () => storage.stats(),
    objectCounts: () => countObjects(stores),
    isServed: (info) => servesResource(endpoints, info),
    unhandledRejections: sources.unhandledRejections,
  });
  const auditor = createAuditor(sources, { protobuf, metrics });
  const lookup = boundObjectsOf(stores);
  const freshen = stores.stores.get('/serviceaccounts')?.freshen;
  const serviceAccounts = new ServiceAccountVerifier({ dialect, ...tokens, lookup, freshen, nowMs });
  const allowsAnonymous = config.anonymousAuth;
  const authenticator = chainAuthenticators(
    [...sources.authenticators, serviceAccountAuthenticator(serviceAccounts)],
    { allowsAnonymous },
  );
  const handler = createApiHandler({
    clock,
    logger,
    authenticator,
    authorizer,
    inFlightLimits: {
      maxReadOnly: config.maxRequestsInflight,
      maxMutating: config.maxMutatingRequestsInflight,
    },
    requestTimeoutMs: config.requestTimeoutMs,
    isOriginAllowed: sources.isOriginAllowed,
    goAwayChance: config.goawayChance,
    random: Math.random,
    allowsDryRun: model.gates.has('DryRun'),
    auditor,
    metrics,
    health: createHealth(sources, hooks),
    negotiator,
    protobuf,
    endpoints,
    special: createSpecialHandlers({
      ...sources,
      dialect,
      stores,
      tokenAuthenticator: chainTokenAuthenticators(sources.tokenAuthenticators, { allowsAnonymous }),
      authorizer,
      serviceAccounts,
    }),
    discovery: () =>
      buildDiscovery(table, {
        addresses: [{ clientCIDR: '0.0.0.0/0', serverAddress: sources.advertised() }],
        otherPaths: listServicePaths(table),
      }),
    paths: new Map<string, Handler>([
      ['/version', createVersionHandler(versionInfo)],
      [openApiPath, createOpenApiHandler(createDocumentStore(sources, stores))],
      ...(sources.paths ?? []),
      ...createIssuerHandlers({ ...tokens, serverUrl: () => `https://${sources.advertised()}` }),
    ]),
    unknownPath: unknownPath((text) => dialect.spell(text)),
  });
  return { stores, handler, metrics, hooks, repairServices, auditor };
}

function createAuditor(
  { audit, model, clock, logger }: ApiSources,
  { protobuf, metrics }: Pick<HandlerContext, 'protobuf'> & { readonly metrics: ServerMetrics },
): Auditor | undefined {
  if (audit === undefined) return undefined;
  return new Auditor({
    ...audit,
    dialect: model.dialect,
    protobuf,
    clock,
    logger,
    onEvent: metrics.addAuditEvent,
    onLost: metrics.addLostAuditEvents,
  });
}

/** The API's document; it is built when a client first asks for it. */
function createDocumentStore({ model, clock }: ApiSources, { served }: Stores): DocumentStore {
  const { dialect, table } = model;
  const slices = createSystemSlices();
  return new DocumentStore({
    sources: () => ({
      table,
      info: { title: dialect.spell('Orch'), version: String(versionInfo().gitVersion) },
      returnsDeleted({ group, version, resource }) {
        const rules = served.get(`${formatGroupVersion(group, version)}/${resource}`)?.store.rules;
        return rules?.returnsDeletedObject === true || rules?.gracePeriodSeconds !== undefined;
      },
    }),
    revision: () => 0,
    // Looks at the clock after each piece: a definition or path takes up to half a millisecond.
    beginSlice: () => slices.begin(1),
    nowMs: () => clock.nowMs(),
  });
}

function* countObjects({ stores }: Stores): Generator<readonly [string, number]> {
  for (const store of stores.values()) yield [formatGroupResource(store), store.cache.size];
}

/** @throws Error when the store does not answer in time; StorageError. */
function pingWithin(storage: Storage, timeoutMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimer(timeoutMs, () =>
      reject(new Error(`storage did not answer within ${timeoutMs} ms`)),
    );
    storage.ping().then(resolve, reject).finally(cancel);
  });
}

function createHealth(sources: ApiSources, hooks: StartHooks): Health {
  const { config, model, clock, storage, watchCache, isStopping } = sources;
  const nowMs = () => clock.nowMs();
  return new Health({
    checks: buildHealthChecks({
      storage: { ping: () => pingWithin(storage, config.etcdHealthcheckTimeoutMs, clock) },
      watchCache,
      hooks,
      spell: (text) => model.dialect.spell(text),
      isShuttingDown: isStopping,
      checkLog() {
        if (!process.stderr.writable) throw new Error('standard error, where the log goes, is closed');
      },
    }),
    livezGraceMs: config.livezGracePeriodMs,
    startedAtMs: nowMs(),
    nowMs,
  });
}
