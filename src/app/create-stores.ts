import { randomUUID } from 'node:crypto';
import { settledVersions, versionConversions } from '../apis/conversions/index.ts';
import { type AddressRange, parseCidr } from '../apis/core/index.ts';
import { kindRules } from '../apis/index.ts';
import type { ResourceQuota } from '../apis/types/core-v1.ts';
import type { Clock, Logger } from '../base/index.ts';
import { effectiveAdmissionPlugins, etcdServers, type ServeConfig } from '../config/serve/index.ts';
import type { ProtobufCompiler } from '../machinery/codec/protobuf/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { GroupVersionKind } from '../machinery/schema/index.ts';
import {
  type AdmissionChain,
  buildStores,
  type ConvertRemotely,
  createObject,
  createSharedServicePools,
  decodeStored,
  ServiceAllocator,
  type SharedServicePools,
  type Stores,
  serverManager,
  serverUser,
  updateObject,
} from '../registry/index.ts';
import {
  type AdmissionOptions,
  type AdmissionReader,
  createAdmissionChain,
  createAdmissionReader,
  createPolicyPlugin,
  createWebhookPlugins,
  ownerReferencesPermissions,
  PodSecurityPolicies,
  policyPluginName,
} from '../server/admission/index.ts';
import { EscalationCheck, type RbacAuthorizer } from '../server/authorization/rbac/index.ts';
import type { WebhookCaller } from '../server/callouts/index.ts';
import type { Authorizer, ServerMetrics } from '../server/index.ts';
import type { Storage } from '../storage/index.ts';
import type { WatchCache } from '../storage/watch-cache/index.ts';
import { type ApiModel, servesPolicies } from './api-model.ts';
import type { AdmissionFiles } from './open-admission.ts';
import { createEnvironment } from './rule-environment.ts';
import { continueTokenKey, type TokenTrust } from './service-account-tokens.ts';
import { uncachedResources } from './uncached-resources.ts';

/** What etcd takes at most in one request unless it is told otherwise: other stores take no more either. */
const maxStoredBytes = 1.5 * 1024 * 1024;

export interface StoresOptions {
  readonly config: ServeConfig;
  readonly model: ApiModel;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly storage: Storage;
  readonly watchCache: WatchCache;
  /** Addresses for services. */
  readonly addresses: AddressRange;
  readonly authorizer: Authorizer;
  /** Who has what, for those who give it away. */
  readonly rbac: RbacAuthorizer;
  readonly protobuf: ProtobufCompiler;
  readonly tokens: TokenTrust;
  /** Conversions of custom resources by webhooks. */
  readonly convertRemotely: ConvertRemotely;
  /** Calls admission webhooks. */
  readonly webhooks: WebhookCaller;
  /** As `ApiSources` has it. */
  readonly admissionFiles: AdmissionFiles;
  /** Told what admission does; asked when there is something to tell. */
  readonly metrics: () => Pick<ServerMetrics, 'addAdmission' | 'addWebhookCall'>;
  /** As `ApiSources` has it. */
  readonly listTokenKey: Buffer | undefined;
}

/** Stores, and what keeps them right where other servers use the same. */
export interface CreatedStores {
  readonly stores: Stores;
  /**
   * Makes the pools of service addresses and ports, which other servers share, agree with the stored services: once
   * before the first service is written, then now and then. Undefined where no other server writes.
   */
  readonly repairServices: (() => Promise<void>) | undefined;
}

/** The stores of all resources, guarded by the enabled admission plugins. */
export function createStores(options: StoresOptions): CreatedStores {
  const { config, model, clock, storage, watchCache, addresses } = options;
  const { dialect, catalog, gates, table, applyDefaults } = model;
  const isShared = etcdServers(config) !== undefined;
  const ranges = {
    addresses,
    otherAddresses: parseCidr(config.serviceClusterIpRange[1] ?? ''),
    ports: config.serviceNodePortRange,
    random: Math.random,
  };
  const pools = isShared
    ? createSharedServicePools({ ...ranges, storage, root: model.root, logger: options.logger })
    : undefined;
  const allocator = new ServiceAllocator({
    ...ranges,
    pools,
    isDualStack: gates.has('IPv6DualStack'),
    hasPortControl: gates.has('ServiceLBNodePortControl'),
  });
  // Plugins look things up in the stores that they guard, and may write there.
  let stores: Stores | undefined;
  const admission = createAdmission(options, () => stores);
  stores = buildStores(table, {
    dialect,
    catalog,
    customs: model.customs,
    convertRemotely: options.convertRemotely,
    protobuf: options.protobuf,
    rules: kindRules,
    storage,
    watchCache,
    admission,
    environment: createEnvironment({
      clock,
      dialect,
      catalog,
      gates,
      table,
      customs: model.customs,
      allowsPrivileged: config.allowPrivileged,
      tokenKey: options.listTokenKey ?? continueTokenKey(options.tokens),
      isUncached: uncachedResources(config),
      maxStoredBytes: isShared ? undefined : maxStoredBytes,
      // What is kept of the past is kept for so long, in memory and in the store.
      listLifetimeMs: config.etcdCompactionIntervalMs || undefined,
    }),
    root: model.root,
    isShared,
    ttlSeconds: lifetimes(options),
    allocators: new Map([['/services', allocator]]),
    recordsOwners: gates.has('ServerSideApply'),
    conversions: versionConversions(dialect, catalog),
    settled: settledVersions(dialect, catalog),
    applyDefaults,
  });
  const built = stores;
  if (pools !== undefined) return { stores, repairServices: () => repairServices(built, pools) };
  adoptServices(stores, allocator);
  return { stores, repairServices: undefined };
}

/** The chain of the enabled plugins. */
function createAdmission(options: StoresOptions, stores: () => Stores | undefined): AdmissionChain {
  const read = createAdmissionReader((group, resource) => stores()?.stores.get(`${group}/${resource}`));
  return createAdmissionChain({
    // Whatever plugins made of a role, it is not given away by somebody who does not have it.
    plugins: [...enabledPlugins(options), EscalationCheck.pluginName],
    dialect: options.model.dialect,
    gates: options.model.gates,
    read,
    onPhase: (outcome) => options.metrics().addAdmission(outcome),
    options: pluginOptions(options, stores, read),
  });
}

/** Events are forgotten after a while; 0 means never. Their store has the name of whichever group comes first. */
function lifetimes({ config, model }: StoresOptions): ReadonlyMap<string, number> {
  const ttlSeconds = Math.ceil(config.eventTtlMs / 1000);
  if (ttlSeconds === 0) return new Map();
  return new Map(['', model.dialect.group('events')].map((group) => [`${group}/events`, ttlSeconds]));
}

const protection = 'StorageObjectInUseProtection';

/** What runs after policies, as in later releases. */
const afterPolicies: ReadonlySet<string> = new Set([
  'ValidatingAdmissionWebhook',
  'ResourceQuota',
  'AlwaysDeny',
]);

function enabledPlugins({ config, model }: StoresOptions): readonly string[] {
  const names = effectiveAdmissionPlugins(config).filter(
    (name) => name !== protection || model.gates.has('StorageObjectInUseProtection'),
  );
  // A server that serves no policies has no plugin for them.
  if (!servesPolicies(model)) return names;
  const at = names.findIndex((name) => afterPolicies.has(name));
  return names.toSpliced(at < 0 ? names.length : at, 0, policyPluginName);
}

function pluginOptions(
  { config, authorizer, rbac, model, logger, clock, webhooks, admissionFiles, metrics }: StoresOptions,
  stores: () => Stores | undefined,
  read: AdmissionReader,
): AdmissionOptions {
  const { dialect, catalog, gates } = model;
  const { imagePolicy, ...files } = admissionFiles;
  const resourceOf = (kind: GroupVersionKind) =>
    model.table.byKind(kind) ??
    model.customs.inVersion(kind.group, kind.version).find((resource) => resource.kind === kind.kind);
  return {
    ...files,
    clock,
    notReadyTolerationSeconds: config.defaultNotReadyTolerationSeconds,
    unreachableTolerationSeconds: config.defaultUnreachableTolerationSeconds,
    more: [
      ...(imagePolicy === undefined ? [] : [imagePolicy]),
      new EscalationCheck({ dialect, rbac, authorizer }),
      ownerReferencesPermissions({ authorizer, resourceOf }),
      createPolicyPlugin({ read, dialect, resourceOf, authorizer }),
      new PodSecurityPolicies({ authorizer, read, dialect, gates }),
      ...createWebhookPlugins({
        caller: webhooks,
        credentials: admissionFiles,
        onCall: (outcome) => metrics().addWebhookCall(outcome),
        dialect,
        catalog,
        read,
        logger,
        newUid: randomUUID,
        nowMs: () => clock.nowMs(),
      }),
    ],
    async isAllowed({ user, ...question }) {
      const request = {
        isResource: true,
        version: '*',
        namespace: '',
        subresource: '',
        path: '',
        ...question,
      };
      return (await authorizer.authorize({ user, request })).isAllowed;
    },
    updateQuotaStatus: (quota) => writeQuotaStatus(stores(), quota, dialect),
    createNamespace: (name) => createNamespace(stores(), name, dialect),
  };
}

/** As `AdmissionOptions` has it. */
async function createNamespace(stores: Stores | undefined, name: string, dialect: Dialect): Promise<void> {
  const served = stores?.served.get('/v1/namespaces');
  if (served === undefined) return;
  const value = { kind: 'Namespace', apiVersion: 'v1', metadata: { name } };
  try {
    await createObject(served, {
      namespace: '',
      body: { kind: 'value', value },
      manager: serverManager(dialect),
      options: { user: serverUser, isDryRun: false },
    });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

/** As `AdmissionOptions` has it. */
async function writeQuotaStatus(
  stores: Stores | undefined,
  quota: ResourceQuota,
  dialect: Dialect,
): Promise<void> {
  const served = stores?.served.get('/v1/resourcequotas');
  if (served === undefined) return;
  const { namespace = '', name = '' } = quota.metadata;
  try {
    await updateObject(served, {
      namespace,
      name,
      subresource: 'status',
      change: { kind: 'replace', body: { kind: 'value', value: quota } },
      manager: serverManager(dialect),
      options: { user: serverUser, isDryRun: false },
    });
  } catch (error) {
    // Another server may have written it: the next look sees that.
    await served.store.freshen?.();
    throw error;
  }
}

/** Services of earlier runs hold what they were given then. Nobody knows what one that cannot be read holds. */
function adoptServices(stores: Stores, allocator: ServiceAllocator): void {
  const services = stores.stores.get('/services')?.cache.objects.values() ?? [];
  for (const service of services) allocator.adopt(decodeStored(service));
}

/** @throws StorageError `unreadable` for a service that is, rather than free what it may hold. */
async function repairServices(stores: Stores, pools: SharedServicePools): Promise<void> {
  const store = stores.stores.get('/services');
  await store?.freshen?.();
  await pools.repair(store?.cache.list({ prefix: store.keyPrefix }).objects.map(decodeStored) ?? []);
}
