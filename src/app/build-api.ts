import type { AddressRange } from '../apis/core/index.ts';
import { buildDiscovery, listServicePaths } from '../apis/resources/index.ts';
import { type Clock, createSystemSlices, type Logger } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { createProtobufCompiler, type ProtobufCompiler } from '../machinery/codec/protobuf/index.ts';
import { formatGroupResource } from '../machinery/schema/index.ts';
import { openDefinitions, type ServedDefinitions, type Stores } from '../registry/index.ts';
import { RemoteApis, type RemoteClient, RemoteDocuments, RemoteProxy } from '../server/aggregation/index.ts';
import { Auditor } from '../server/audit/index.ts';
import type { Authenticator } from '../server/authentication/index.ts';
import type { ClientPair } from '../server/callouts/index.ts';
import { createFlowDumps, type Fairness } from '../server/fairness/index.ts';
import {
  type ApiHandlerOptions,
  buildEndpoints,
  createApiHandler,
  createDeprecationNotice,
  createPiecePool,
  createWatchDelivery,
  type Handler,
  type HandlerContext,
  Negotiator,
  type OriginTest,
  ProtobufFrames,
  ServerMetrics,
  StartHooks,
  unknownPath,
  upgradeTest,
} from '../server/index.ts';
import type { AgentAccess } from '../server/subresources/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import { type ApiHealthSources, createHealth } from './api-health.ts';
import { type ApiModel, customSources } from './api-model.ts';
import { createPathHandlers } from './api-paths.ts';
import { createAuthentication } from './create-authentication.ts';
import { createFairness } from './create-fairness.ts';
import { createStores } from './create-stores.ts';
import { aggregatorUser } from './keep-api-services.ts';
import type { AdmissionFiles } from './open-admission.ts';
import type { AuditAccess } from './open-audit.ts';
import type { FileAuthenticators } from './open-authentication.ts';
import { createAuthorization, type FileAuthorizers } from './open-authorization.ts';
import { type Callouts, type OwnAccess, openCallouts } from './open-callouts.ts';
import type { TokenTrust } from './service-account-tokens.ts';
import { createSpecialHandlers } from './special-handlers.ts';
import type { StorageTimes } from './storage-times.ts';

/** What an API is built on. */
export interface ApiSources {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  readonly addresses: AddressRange;
  /** Authenticators that work by files. */
  readonly fileAuthenticators: FileAuthenticators;
  /** Knows parts of this process. */
  readonly loopback: Authenticator;
  readonly tokens: TokenTrust;
  /** Authorizers that work by files. */
  readonly fileAuthorizers: FileAuthorizers;
  /** What files say of admission plugins. */
  readonly admissionFiles: AdmissionFiles;
  /** Secret that signs the tokens of paged lists; when undefined, that of the servers with the same signing key. */
  readonly listTokenKey: Buffer | undefined;
  readonly isOriginAllowed: OriginTest | undefined;
  /** How agents of nodes are reached; when undefined, without a certificate. */
  readonly agents: AgentAccess | undefined;
  /** Proves to the servers of other groups that it is this one that names the user. */
  readonly aggregatorPair: ClientPair | undefined;
  /** How long the store takes to answer, where the metrics are to tell. */
  readonly storageTimes: Pick<StorageTimes, 'listen'> | undefined;
  /** The services that keys of stored values are sealed by, which must answer. */
  readonly keyServices: ApiHealthSources['keyServices'];
  /** Where requests are recorded, if they are. */
  readonly audit: AuditAccess | undefined;
  /** Handlers of paths beside the API. */
  readonly paths: ReadonlyMap<string, Handler>;
  /** Rejections that nobody handled so far, for the metrics. */
  readonly unhandledRejections: (() => number) | undefined;
  /** True once a graceful end began. */
  readonly isStopping: () => boolean;
  /** `host:port` that discovery names; known when the listener is. */
  readonly advertised: () => string;
  readonly own: OwnAccess;
}

/** A built API: its stores, and the handler of all requests. */
export interface Api {
  readonly stores: Stores;
  readonly handler: Handler;
  /** Which requests for another protocol may have their connection. */
  readonly upgrades: ReturnType<typeof upgradeTest>;
  readonly metrics: ServerMetrics;
  /** Start hooks of the health checks; each is finished when its part of the start is. */
  readonly hooks: StartHooks;
  /** As `createStores` gives it. */
  readonly repairServices: (() => Promise<void>) | undefined;
  /** Serves what definitions define; must be opened before the first request. */
  readonly openDefinitions: () => ReturnType<typeof openDefinitions>;
  /** Calls to others; disposed of after the last request. */
  readonly callouts: Callouts;
  /** The groups of other servers. */
  readonly remotes: RemoteApis;
  /** What their servers say of them. */
  readonly remoteDocuments: RemoteDocuments;
  /** Present when requests are recorded; disposed of after the last one, it writes what waits. */
  readonly auditor: Auditor | undefined;
}

/** Four lists to slow clients, or many to quick ones. */
const listPieces = { pieceBytes: 256 * 1024, maxKept: 16 };

/** Builds stores, endpoints and filters. Nothing runs yet. */
export function buildApi(sources: ApiSources): Api {
  const { config, model, logger, clock } = sources;
  const { dialect, table, printerOf, fieldsOf } = model;
  const protobuf = createProtobufCompiler(model.catalog);
  const opened = openStores(sources, protobuf, (info) => endpoints.kindOf(info));
  const { stores, metrics, repairServices, authorizer, rules, callouts, remotes, remoteDocuments } = opened;
  const negotiator = new Negotiator(dialect, dialect.protobufMediaType);
  const context = createContext(sources, { stores, metrics, negotiator, protobuf, authorizer });
  const endpoints = buildEndpoints({ table, stores, context, printerOf, fieldsOf });
  const auditor = createAuditor(sources, { protobuf, metrics });
  const fairness = createFairness({ ...sources, stores, metrics });
  const hooks = new StartHooks();
  const { authenticator, tokenAuthenticator } = createAuthentication({ ...sources, metrics }, stores);
  const paths = describePaths(sources, { stores, remotes, remoteDocuments, fairness, ...callouts });
  let definitions: ServedDefinitions | undefined;
  const handler = createApiHandler({
    dialect,
    clock,
    logger,
    authenticator,
    authorizer,
    ...requestLimits(config),
    fairness,
    isOriginAllowed: sources.isOriginAllowed,
    allowsDryRun: model.gates.has('DryRun'),
    auditor,
    metrics,
    health: createHealth({ ...sources, hooks }),
    negotiator,
    protobuf,
    endpoints,
    catchUp: (resource) => definitions?.catchUp(resource),
    special: createSpecialHandlers({ ...sources, dialect, stores, tokenAuthenticator, authorizer, rules }),
    ...paths,
  });
  return {
    stores,
    handler,
    upgrades: upgradeTest((path) => paths.remote.find(path) !== undefined),
    metrics,
    hooks,
    repairServices,
    auditor,
    callouts,
    remotes,
    remoteDocuments,
    async openDefinitions() {
      hooks.finish('caches');
      const isBuiltIn = (group: string, version: string) => table.inVersion(group, version).length > 0;
      const customs = customSources(model);
      definitions = await openDefinitions({ ...sources, stores, sources: customs, isBuiltIn });
      hooks.finish('definitions');
      return definitions;
    },
  };
}

/** The stores, and what they and requests share: they need one another. */
function openStores(
  sources: ApiSources,
  protobuf: ProtobufCompiler,
  kindOf: ConstructorParameters<typeof ServerMetrics>[0]['kindOf'],
) {
  const { config, model } = sources;
  // Roles are in the stores, and writes to the stores are checked by who may grant them.
  let known: Stores | undefined;
  const { authorizer, rules, rbac } = createAuthorization(config, model, {
    files: sources.fileAuthorizers,
    stores: () => known,
  });
  const callouts = openCallouts({ ...sources, stores: () => known });
  const { convertRemotely, webhooks } = callouts;
  const { stores, repairServices } = createStores({
    ...sources,
    authorizer,
    rbac,
    protobuf,
    convertRemotely,
    webhooks,
    metrics: () => metrics,
  });
  const apiServices = `${model.dialect.group('apiregistration')}/apiservices`;
  const remotes = new RemoteApis(() => known?.stores.get(apiServices));
  const slices = createSystemSlices();
  const remoteDocuments = new RemoteDocuments({
    apis: remotes,
    client: callouts.remoteClient,
    user: aggregatorUser(model.dialect),
    nowMs: () => sources.clock.nowMs(),
    beginSlice: () => slices.begin(1),
    logger: sources.logger,
  });
  known = stores;
  // They count what the stores hold, and what their admission does.
  const metrics = new ServerMetrics({
    dialect: sources.model.dialect,
    storageStats: () => sources.storage.stats(),
    objectCounts: () => countObjects(stores),
    kindOf,
    unhandledRejections: sources.unhandledRejections,
  });
  sources.storageTimes?.listen(metrics.addStorageTime);
  return { stores, metrics, repairServices, authorizer, rules, callouts, remotes, remoteDocuments };
}

function requestLimits(
  config: ServeConfig,
): Pick<ApiHandlerOptions, 'inFlightLimits' | 'requestTimeoutMs' | 'goAwayChance' | 'random'> {
  return {
    inFlightLimits: {
      maxReadOnly: config.maxRequestsInflight,
      maxMutating: config.maxMutatingRequestsInflight,
    },
    requestTimeoutMs: config.requestTimeoutMs,
    goAwayChance: config.goawayChance,
    random: Math.random,
  };
}

/** What paths are answered from. */
interface PathSources {
  readonly stores: Stores;
  readonly remotes: RemoteApis;
  readonly remoteDocuments: RemoteDocuments;
  readonly remoteClient: RemoteClient;
  readonly fairness: Fairness | undefined;
}

/** Handlers of paths beside the API, and of those that nothing serves, and what documents are made from. */
function describePaths(
  sources: ApiSources,
  { stores, remotes, remoteDocuments, remoteClient, fairness }: PathSources,
): Pick<ApiHandlerOptions, 'aggregated' | 'discovery' | 'paths' | 'remote' | 'subtrees' | 'unknownPath'> {
  const { dialect, table, customs } = sources.model;
  const slices = createSystemSlices();
  const unknown = unknownPath((text) => dialect.spell(text));
  const { paths, subtrees } = createPathHandlers({ ...sources, stores, remoteDocuments }, async (exchange) =>
    unknown(exchange),
  );
  return {
    aggregated: { table, customs, remotes, beginSlice: () => slices.begin(1) },
    discovery: () => describeDiscovery(sources, remotes),
    remote: new RemoteProxy({ apis: remotes, client: remoteClient, logger: sources.logger }),
    paths: new Map([...paths, ...sources.paths, ...(fairness ? createFlowDumps(fairness.control) : [])]),
    subtrees,
    unknownPath: unknown,
  };
}

function describeDiscovery(
  { model: { table, customs }, advertised }: ApiSources,
  remotes: RemoteApis,
): ReturnType<typeof buildDiscovery> {
  return buildDiscovery(table, {
    customs,
    remotes,
    addresses: [{ clientCIDR: '0.0.0.0/0', serverAddress: advertised() }],
    otherPaths: listServicePaths(table),
  });
}

/** What the handlers of all endpoints share. */
function createContext(
  { config, model: { dialect, catalog, gates }, clock }: ApiSources,
  {
    stores,
    metrics,
    protobuf,
    ...given
  }: Pick<HandlerContext, 'negotiator' | 'protobuf' | 'authorizer'> & {
    readonly stores: Stores;
    readonly metrics: ServerMetrics;
  },
): HandlerContext {
  return {
    ...given,
    dialect,
    catalog,
    admission: stores.admission,
    virtualForms: stores.virtualForms,
    decodeBody: stores.decodeBody,
    protobuf,
    protobufFrames: new ProtobufFrames(protobuf),
    piecePool: createPiecePool(listPieces),
    compresses: gates.has('APIResponseCompression'),
    nowMs: () => clock.nowMs(),
    fieldManager: stores.fieldManager,
    metaGroup: dialect.group('meta'),
    minRequestTimeoutMs: config.minRequestTimeoutSeconds * 1000,
    random: Math.random,
    deleteCollectionWorkers: config.deleteCollectionWorkers,
    watchDelivery: createWatchDelivery(),
    sendsWarnings: gates.has('WarningHeaders'),
    noteDeprecated: createDeprecationNotice({
      sendsWarnings: gates.has('WarningHeaders'),
      onRequest: (info, removedRelease) => metrics.addDeprecated(info, removedRelease),
    }),
  };
}

function createAuditor(
  { audit, model, clock, logger }: ApiSources,
  { protobuf, metrics }: Pick<HandlerContext, 'protobuf'> & { readonly metrics: ServerMetrics },
): Auditor | undefined {
  if (audit === undefined) return undefined;
  const { dialect } = model;
  const onLost = metrics.addLostAuditEvents;
  return new Auditor({
    policy: audit.policy,
    sink: audit.open({ dialect, protobuf, clock, logger, onLost }),
    dialect,
    clock,
    onEvent: metrics.addAuditEvent,
    onLevel: metrics.addAuditLevel,
    onRejected: metrics.addAuditRejection,
  });
}

function* countObjects({ stores, customs }: Stores): Generator<readonly [string, number]> {
  for (const store of [...stores.values(), ...customs.stores()]) {
    yield [formatGroupResource(store), store.cache.size];
  }
}
