import { WebhookRefusal } from '../apis/admission/index.ts';
import {
  type BootstrapObject,
  bootstrapObjects,
  bootstrapResources,
  type RequestHeaderSettings,
  reconcileBootstrap,
  splitBinding,
} from '../apis/bootstrap/index.ts';
import { errorText, type Logger, pause, systemClock } from '../base/index.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import {
  type Change,
  createObject,
  decodeStored,
  deleteObject,
  formatNow,
  fromStorageVersion,
  keyOf,
  type ResourceStore,
  type ServedKind,
  type Stores,
  serverManager,
  serverUser,
  updateObject,
} from '../registry/index.ts';
import { StorageError } from '../storage/index.ts';
import type { ApiModel } from './api-model.ts';

export interface BootstrapSources {
  readonly stores: Stores;
  readonly model: ApiModel;
  readonly securePort: number;
  /** Addresses of the servers of the store; none leaves out the API's endpoints. */
  readonly advertiseAddresses: readonly string[];
  readonly firstServiceAddress: string;
  /** PEM authorities of client certificates, joined. */
  readonly clientAuthorityPem: string;
  /** How authenticating proxies name users, where some are believed. */
  readonly requestHeader?: RequestHeaderSettings | undefined;
  readonly nowMs: number;
  readonly logger: Logger;
  /** Told of each resource (`clusterroles`) whose objects are there now, or of which none are wanted. */
  readonly onSettled?: ((resource: string) => void) | undefined;
}

/** Policies of objects that hold the server's addresses. */
const namesAddresses = new Set(['subsets', 'slice']);
const options = { user: serverUser, isDryRun: false };
/** Time between looks at objects of the server's own while it runs. Source: release 1.20, loop of the API's service. */
export const lookEveryMs = 10_000;
/** How often, and after which time, what another server was faster with is looked at again. */
const maxAttempts = 20;
const raceDelayMs = 100;

/**
 * Makes the objects that every server has, and mends those that are its own to keep, as release 1.20 does at start. What admission
 * refuses is logged and left alone: only on a server that runs can an operator mend the webhook, quota or policy that does so.
 *
 * @throws StatusError when one cannot be written otherwise.
 */
export async function bootstrap(sources: BootstrapSources): Promise<void> {
  const { stores } = sources;
  const wanted = wantedObjects(sources);
  const isFirstStart = stores.stores.get('/namespaces')?.cache.size === 0;
  const settle = async (name: string): Promise<void> => {
    const objects = wanted.filter(({ resource }) => resource.resource === name);
    const settleAll = (some: readonly BootstrapObject[]) =>
      Promise.all(some.map((object) => settleObject(object, sources, isFirstStart)));
    // As long as what they were part of is as it was left.
    if (!isFirstStart) await settleAll(objects.filter(({ splitFrom }) => splitFrom !== undefined));
    await settleAll(objects);
    sources.onSettled?.(name);
  };
  // Everything else may live in these namespaces. The rest is written together, which takes few transactions.
  await settle('namespaces');
  await Promise.all(bootstrapResources.filter((name) => name !== 'namespaces').map(settle));
}

/** Puts the addresses of the servers into the API's own endpoints. @throws StatusError when they cannot be written. */
export async function settleEndpoints(sources: BootstrapSources): Promise<void> {
  await endpointSettler(sources)();
}

/** As `settleEndpoints`, for a function that is called again and again: what is wanted is worked out once. */
export function endpointSettler(sources: BootstrapSources): () => Promise<void> {
  return settlerOf(
    wantedObjects(sources).filter(({ policy }) => namesAddresses.has(policy)),
    sources,
  );
}

/**
 * What every client takes for granted: the server's namespaces and the service of the API. The returned function, which is
 * called again and again, makes those that somebody deleted. @throws StatusError when one cannot be written.
 */
export function missingObjects(sources: BootstrapSources): () => Promise<void> {
  const wanted = wantedObjects(sources)
    .filter(({ resource }) => resource.resource === 'namespaces' || resource.resource === 'services')
    .map((object): BootstrapObject => ({ ...object, policy: 'createIfMissing' }));
  return settlerOf(wanted, sources);
}

const settlerOf =
  (wanted: readonly BootstrapObject[], sources: BootstrapSources): (() => Promise<void>) =>
  async () => {
    for (const object of wanted) await settleObject(object, sources, false);
  };

/** Publishes whom the servers believe by certificate. @throws StatusError when it cannot be written. */
export async function settleAuthorities(sources: BootstrapSources): Promise<void> {
  const wanted = wantedObjects(sources).filter(({ policy }) => policy === 'trust');
  await Promise.all(wanted.map((object) => settleObject(object, sources, false)));
}

function wantedObjects(sources: BootstrapSources): BootstrapObject[] {
  const { advertiseAddresses } = sources;
  return bootstrapObjects({
    table: sources.model.table,
    securePort: sources.securePort,
    advertiseAddresses,
    firstServiceIp: sources.firstServiceAddress,
    clientCa: sources.clientAuthorityPem,
    requestHeader: sources.requestHeader,
    now: formatNow(sources.nowMs),
  }).filter(({ policy }) => advertiseAddresses.length > 0 || !namesAddresses.has(policy));
}

/** Settles an object; again when another server, which wants the same, was faster. */
async function settleObject(
  wanted: BootstrapObject,
  sources: BootstrapSources,
  isFirstStart: boolean,
): Promise<void> {
  const store = storeOf(wanted, sources);
  const signal = new AbortController().signal;
  for (let attempt = 1; ; attempt++) {
    try {
      await store?.freshen?.();
      await settleOnce(wanted, sources, isFirstStart);
      return;
    } catch (error) {
      // It, or what it needs, was damaged: an operator must see to that, and the server is there for it.
      if (isUnreadable(error)) return;
      if (isRefused(error) || (isReason(error, 'NotFound') && lacksNamespace(wanted, sources))) {
        const { resource, object } = wanted;
        const { namespace, name } = object.metadata;
        const fields = { resource: resource.resource, namespace, name, error: errorText(error) };
        sources.logger.error("object of the server's own refused by admission", fields);
        return;
      }
      if (store?.freshen === undefined || attempt === maxAttempts || !isRace(error)) throw error;
      // The first address is the API's own: nobody else may hold it, whoever took it and never came back.
      if (attempt === maxAttempts - 1) await store.allocator?.release(wanted.object);
      await pause(systemClock, raceDelayMs, signal);
    }
  }
}

function storeOf({ resource }: BootstrapObject, { stores }: BootstrapSources): ResourceStore | undefined {
  return stores.served.get(`${resource.group}/${resource.version}/${resource.resource}`)?.store;
}

const isRace = (error: unknown): boolean =>
  (['Conflict', 'NotFound', 'AlreadyExists', 'Invalid'] as const).some((reason) => isReason(error, reason));

/** By a plugin or webhook, or because a webhook failed. */
const isRefused = (error: unknown): boolean =>
  error instanceof WebhookRefusal ||
  (['Forbidden', 'InternalError'] as const).some((reason) => isReason(error, reason));

/** Whether the object's namespace is not there: it was refused before. */
function lacksNamespace({ object }: BootstrapObject, { stores }: BootstrapSources): boolean {
  const { namespace = '' } = object.metadata;
  const namespaces = stores.stores.get('/namespaces');
  return namespace !== '' && namespaces?.cache.get(keyOf(namespaces, '', namespace)) === undefined;
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof StorageError && error.code === 'unreadable';

async function settleOnce(
  wanted: BootstrapObject,
  { stores, model, nowMs }: BootstrapSources,
  isFirstStart: boolean,
): Promise<void> {
  if (wanted.policy === 'suggested' && !isFirstStart) return;
  const { group, version, resource } = wanted.resource;
  const served = stores.served.get(`${group}/${version}/${resource}`);
  if (served === undefined) return;
  const { metadata } = wanted.object;
  const namespace = metadata.namespace ?? '';
  const name = metadata.name ?? '';
  const manager = wanted.manager ?? serverManager(model.dialect);
  const existing = readStored(served, namespace, name);
  const action = reconcileBootstrap(existing, existing === undefined ? split(wanted, served) : wanted, {
    dialect: model.dialect,
    nowMs,
  });
  if (action === undefined) return;
  if (action.kind === 'update') {
    const change: Change = { kind: 'replace', body: { kind: 'value', value: action.object } };
    await updateObject(served, { namespace, name, subresource: '', change, manager, options });
    return;
  }
  if (action.kind === 'replace') await deleteObject(served, { namespace, name, deleteOptions: {}, options });
  await create(served, action.object, { namespace, manager });
}

function readStored(served: ServedKind, namespace: string, name: string): ApiObject | undefined {
  const stored = served.store.cache.get(keyOf(served.store, namespace, name));
  return stored === undefined ? undefined : fromStorageVersion(served, decodeStored(stored));
}

/** What is wanted, after the binding that it was part of where there is one. */
function split(wanted: BootstrapObject, served: ServedKind): BootstrapObject {
  const { splitFrom, object } = wanted;
  const source = splitFrom === undefined ? undefined : readStored(served, '', splitFrom);
  return source === undefined ? wanted : { ...wanted, object: splitBinding(source, object) };
}

/** Where an object is written, and whose its fields are. */
interface Writing {
  readonly namespace: string;
  readonly manager: string;
}

async function create(served: ServedKind, value: ApiObject, writing: Writing): Promise<void> {
  try {
    await createObject(served, { ...writing, body: { kind: 'value', value }, options });
  } catch (error) {
    // Another server of the same store was faster.
    if (isReason(error, 'AlreadyExists')) return;
    throw error;
  }
  if (served.store.rules.hasStatus === true && 'status' in value) await writeStatus(served, value, writing);
}

/** What is created has no status yet; the server's own objects come with one. */
async function writeStatus(
  served: ServedKind,
  { metadata: { name = '' }, status }: ApiObject & { readonly status?: unknown },
  writing: Writing,
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify({ status }));
  const change: Change = { kind: 'patch', format: 'merge', bytes };
  await updateObject(served, { ...writing, name, subresource: 'status', change, options });
}
