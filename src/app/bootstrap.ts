import { type BootstrapObject, bootstrapObjects, reconcileBootstrap } from '../apis/bootstrap/index.ts';
import { isReason } from '../machinery/errors/index.ts';
import type { ApiObject } from '../machinery/meta/index.ts';
import {
  createObject,
  decodeStored,
  deleteObject,
  formatNow,
  fromStorageVersion,
  keyOf,
  type ServedKind,
  type Stores,
  updateObject,
} from '../registry/index.ts';
import type { ApiModel } from './api-model.ts';
import { serverUser } from './server-user.ts';

export interface BootstrapSources {
  readonly stores: Stores;
  readonly model: ApiModel;
  readonly securePort: number;
  /** Undefined leaves out the API's endpoints. */
  readonly advertiseAddress: string | undefined;
  readonly firstServiceAddress: string;
  /** PEM authorities of client certificates, joined. */
  readonly clientAuthorityPem: string;
  readonly nowMs: number;
}

/** Policies of objects that hold the server's addresses. */
const namesAddresses = new Set(['subsets', 'slice']);
const options = { user: serverUser, isDryRun: false };

/**
 * Makes the objects that every server has, and mends those that are its own to keep, as the reference does at start.
 *
 * @throws StatusError when one cannot be written.
 */
export async function bootstrap(sources: BootstrapSources): Promise<void> {
  const { model, stores } = sources;
  const { table } = model;
  const wanted = bootstrapObjects({
    table,
    securePort: sources.securePort,
    advertiseAddresses: sources.advertiseAddress === undefined ? [] : [sources.advertiseAddress],
    firstServiceIp: sources.firstServiceAddress,
    clientCa: sources.clientAuthorityPem,
    now: formatNow(sources.nowMs),
  }).filter(({ policy }) => sources.advertiseAddress !== undefined || !namesAddresses.has(policy));
  const isFirstStart = stores.stores.get('/namespaces')?.cache.size === 0;
  const isNamespace = (object: BootstrapObject) => object.resource.resource === 'namespaces';
  const settle = (objects: readonly BootstrapObject[]) =>
    Promise.all(objects.map((object) => settleObject(object, sources, isFirstStart)));
  // Everything else may live in these namespaces. The rest is written together, which takes few transactions.
  await settle(wanted.filter(isNamespace));
  await settle(wanted.filter((object) => !isNamespace(object)));
}

async function settleObject(
  wanted: BootstrapObject,
  { stores, model }: BootstrapSources,
  isFirstStart: boolean,
): Promise<void> {
  if (wanted.policy === 'suggested' && !isFirstStart) return;
  const { group, version, resource } = wanted.resource;
  const served = stores.served.get(`${group}/${version}/${resource}`);
  if (served === undefined) return;
  const { metadata } = wanted.object;
  const namespace = metadata.namespace ?? '';
  const name = metadata.name ?? '';
  const stored = served.store.cache.get(keyOf(served.store, namespace, name));
  const existing = stored === undefined ? undefined : fromStorageVersion(served, decodeStored(stored));
  const action = reconcileBootstrap(existing, wanted, model.dialect);
  if (action === undefined) return;
  if (action.kind === 'update') {
    const transform = () => decode(served, action.object);
    await updateObject(served, { namespace, name, subresource: '', transform, options });
    return;
  }
  if (action.kind === 'replace') await deleteObject(served, { namespace, name, deleteOptions: {}, options });
  await create(served, action.object, namespace);
}

async function create(served: ServedKind, wanted: ApiObject, namespace: string): Promise<void> {
  try {
    await createObject(served, { namespace, object: decode(served, wanted), options });
  } catch (error) {
    // Another server of the same store was faster.
    if (isReason(error, 'AlreadyExists')) return;
    throw error;
  }
  if (served.store.rules.hasStatus === true && 'status' in wanted)
    await writeStatus(served, wanted, namespace);
}

/** What is created has no status yet; the server's own objects come with one. */
async function writeStatus(served: ServedKind, wanted: ApiObject, namespace: string): Promise<void> {
  const { status } = wanted as ApiObject & { status?: unknown };
  await updateObject(served, {
    namespace,
    name: wanted.metadata.name ?? '',
    subresource: 'status',
    rules: served.store.rules.status ?? {},
    transform: (current) => decode(served, { ...fromStorageVersion(served, current), status } as ApiObject),
    options,
  });
}

function decode(served: ServedKind, value: ApiObject): ApiObject {
  // The type is a kind's: what it decodes to has kind, apiVersion and metadata.
  const object = served.type.decode(value) as unknown as ApiObject;
  served.applyDefaults(object);
  return object;
}
