import { tmpdir } from 'node:os';
import { type AddressRange, nthAddress, parseCidr } from '../apis/core/index.ts';
import { type Clock, createSystemTurns, systemClock, type TurnQueue } from '../base/index.ts';
import type { ServeConfig } from '../config/serve/index.ts';
import { prepareExpressions } from '../machinery/cel/index.ts';
import { createMaintenanceHandlers } from '../server/maintenance/index.ts';
import { adminClientConfig } from './admin-config.ts';
import { type ApiModel, createApiModel, hasExpressions } from './api-model.ts';
import { type BootstrapSources, bootstrap, settleAuthorities } from './bootstrap.ts';
import { type Api, type ApiSources, buildApi } from './build-api.ts';
import { openCertificateIssuer } from './certificate-issuer.ts';
import { type IdentityLeaseOptions, keepIdentityLease } from './identity-lease.ts';
import { keepApiServices } from './keep-api-services.ts';
import { localCollections } from './local-collections.ts';
import { createLoopbackAccess, type LoopbackAccess } from './loopback-access.ts';
import { maintainStore } from './maintain-store.ts';
import { openAccess } from './open-access.ts';
import { openAudit } from './open-audit.ts';
import { openState, type ServerState } from './open-state.ts';
import { findAdvertiseAddress, type OwnEndpoints, openOwnEndpoints } from './own-address.ts';
import { checkControllerNames, type RunControllersOptions, runControllers } from './run-controllers.ts';
import type { RunningServer, ServerStart } from './run-serve.ts';
import { openListener, ServerAddress } from './server-listener.ts';
import { repairFirst, sharedTasks } from './server-tasks.ts';
import { secretTokenSigner } from './service-account-tokens.ts';
import { tellIdleFlags } from './tell-idle-flags.ts';

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
  const basis = await prepare(start);
  const { config, model, logger } = basis;
  const audit = await openAudit(config, { dialect: model.dialect, clock: basis.clock, logger });
  await using opened = new AsyncDisposableStack();
  const state = await openState(basis, opened);
  const { identity, storage, watchCache } = state;
  tellIdleFlags(config, logger);
  const loopback = createLoopbackAccess();
  const certificates = await openCertificateIssuer(config, identity.pki.authority, basis.clock);
  const access = await openAccess({ ...basis, identity, storage, watchCache, loopback, opened });
  const address = new ServerAddress(config, basis.advertiseAddress);
  let isStopping = false;
  const api = buildApi({
    ...basis,
    ...state,
    ...access,
    audit,
    aggregatorPair: identity.aggregatorPair,
    paths: maintenancePaths(basis, state),
    isStopping: () => isStopping,
    ...waysToItself(address, loopback),
  });
  opened.use(api.callouts);
  if (api.auditor !== undefined) opened.use(api.auditor);
  const definitions = opened.use(await api.openDefinitions());
  const parts = { ...basis, identity, api };
  const http = await openListener(parts, address, opened);
  await repairFirst({ api, logger });
  const endpoints = await openOwnEndpoints({ ...basis, storage });
  const sources = bootstrapSources({ ...parts, endpoints, address });
  await bootstrap({ ...sources, onSettled: (resource) => api.hooks.finish(resource) });
  publishAuthorities(() => bootstrapSources({ ...parts, endpoints, address }), parts);
  definitions.keep();
  api.hooks.finish('definition-keeper');
  const { admin } = identity.pki;
  const authorityPem = identity.servingAuthorities.join('');
  await runBeside(opened, {
    ...{ ...basis, api, certificates, token: loopback.token, bootstrap: sources },
    authority: { pem: () => identity.servingAuthorities.join(''), onChange: access.onTrustChanged },
    connect: () => http.connect(),
    signSecretToken: secretTokenSigner(model.dialect, access.tokens),
  });
  // Stopped first: clients shall go elsewhere before this server ends.
  opened.defer(endpoints.keep(sources));
  const resources = opened.move();
  return {
    url: address.url,
    authorityPem,
    adminCertificatePem: admin.certificatePem,
    adminKeyPem: admin.privateKeyPem,
    clientConfig: adminClientConfig({ url: address.url, authorityPem, ...admin }),
    async stop() {
      if (isStopping) return;
      isStopping = true;
      await delay(config.shutdownDelayMs);
      await resources.disposeAsync();
    },
  };
}

/** How a server is reached, by others and by itself. */
const waysToItself = (
  address: ServerAddress,
  { token }: LoopbackAccess,
): Pick<ApiSources, 'advertised' | 'own'> => ({
  advertised: () => address.advertised,
  own: { url: () => address.url, connect: () => address.connect(), token },
});

/** Tells servers of other API groups when others are believed. */
function publishAuthorities(
  sources: () => BootstrapSources,
  { identity, logger }: Pick<ServerState, 'identity'> & Pick<ServerBasis, 'logger'>,
): void {
  identity.authorities.onReplaced(() =>
    settleAuthorities(sources()).catch((error: unknown) =>
      logger.error('authorities of clients were not published', { error }),
    ),
  );
}

/** Starts controllers, tasks and signs of life; they end with `opened`. */
async function runBeside(
  opened: AsyncDisposableStack,
  beside: ServerBasis &
    Omit<RunControllersOptions, 'collections' | 'tasks' | 'queueMetrics'> & {
      readonly api: Api;
      readonly bootstrap: BootstrapSources;
    },
): Promise<void> {
  const { api } = beside;
  const identityLease = identityLeaseOf(beside, api);
  const tasks = sharedTasks({ ...beside, identityLease });
  const stopAvailability = keepApiServices({ ...beside, ...api, ...api.callouts });
  if (stopAvailability !== undefined) opened.defer(stopAvailability);
  api.hooks.finish('api-service-conditions');
  const queueMetrics = (controller: string) => api.metrics.queues.countersOf(controller);
  const collections = localCollections({ ...api, ...beside.model });
  opened.defer(await runControllers({ ...beside, collections, tasks, queueMetrics }));
  if (identityLease !== undefined) opened.defer(await keepIdentityLease(identityLease));
}

function bootstrapSources(
  parts: ServerBasis & {
    readonly api: Pick<Api, 'stores'>;
    readonly identity: ServerState['identity'];
    readonly endpoints: OwnEndpoints;
    readonly address: ServerAddress;
  },
): BootstrapSources {
  const { model, clock, logger, addresses } = parts;
  const { clients, proxies, proxyNames } = parts.identity.authorities;
  return {
    stores: parts.api.stores,
    model,
    nowMs: clock.nowMs(),
    logger,
    advertiseAddresses: parts.endpoints.addresses,
    securePort: parts.address.port,
    firstServiceAddress: nthAddress(addresses, 1),
    // Servers of one store are to write the same.
    clientAuthorityPem: [...clients.pems].sort().join(''),
    requestHeader: proxies.pems.length === 0 ? undefined : { ...proxyNames, clientCa: proxies.pems.join('') },
  };
}

/** What all parts of a server are given. */
interface ServerBasis extends Omit<ServerStart, 'unhandledRejections'> {
  readonly unhandledRejections: ApiSources['unhandledRejections'];
  readonly clock: Clock;
  readonly turns: TurnQueue;
  readonly model: ApiModel;
  /** Addresses for services. */
  readonly addresses: AddressRange;
  /** The address that the cluster is told, chosen once: undefined on a machine that others cannot reach. */
  readonly advertiseAddress: string | undefined;
}

/** Works out what the flags mean. Nothing is opened. @throws OptionsError or RangeError for flags that say nothing. */
async function prepare(start: ServerStart): Promise<ServerBasis> {
  const { config, dialect } = start;
  await checkControllerNames(config.controllers);
  const model = createApiModel(config, dialect);
  // Loading the library later would hold up requests.
  if (hasExpressions(model)) prepareExpressions();
  return {
    ...start,
    unhandledRejections: start.unhandledRejections,
    clock: systemClock,
    turns: createSystemTurns(),
    model,
    addresses: serviceRange(config),
    advertiseAddress: await findAdvertiseAddress(config),
  };
}

function identityLeaseOf(
  { config, model, clock, logger }: ServerBasis,
  { stores }: Api,
): IdentityLeaseOptions | undefined {
  if (!model.gates.has('APIServerIdentity')) return undefined;
  return {
    stores,
    dialect: model.dialect,
    durationSeconds: config.identityLeaseDurationSeconds,
    renewIntervalSeconds: config.identityLeaseRenewIntervalSeconds,
    clock,
    logger,
  };
}

/** What administrators ask of the store: it is looked after in whatever version its values are. */
function maintenancePaths(
  { paths, model }: Pick<ServerBasis, 'paths' | 'model'>,
  { driver }: Pick<ServerState, 'driver'>,
): ApiSources['paths'] {
  return createMaintenanceHandlers({
    maintenance: maintainStore({
      storage: driver,
      url: paths.storageUrl,
      dialect: model.dialect.name,
      root: model.root,
      isServed: true,
    }),
    temporaryDirectory: paths.dataDirectory ?? tmpdir(),
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

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
