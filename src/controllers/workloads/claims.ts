import { type RestClient, resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ApiObject, OwnerReference } from '../../machinery/meta/index.ts';
import type { LabelSelector } from '../../machinery/selectors/index.ts';

/** Who owns dependents, as owner references name it. */
export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly isBeingDeleted: boolean;
}

/** The reference of the one owner that controls an object. */
export const controllerReference = ({ apiVersion, kind, name, uid }: Owner): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/** The reference of the controller that an object has. */
export const controllerOf = ({ metadata }: ApiObject): OwnerReference | undefined =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** What an owner does with the objects around it. */
export interface Claims<T> {
  /** It has these and keeps them. */
  readonly owned: readonly T[];
  /** Nobody has these, and they match. */
  readonly adopted: readonly T[];
  /** It has these, and they match no more. */
  readonly released: readonly T[];
}

/** Which objects an owner has, takes and lets go. Pure. Source: release 1.20, `ClaimObject`. */
export function decideClaims<T extends ApiObject>(
  owner: Owner,
  selector: LabelSelector,
  objects: readonly T[],
): Claims<T> {
  const owned: T[] = [];
  const adopted: T[] = [];
  const released: T[] = [];
  for (const object of objects) {
    const reference = controllerOf(object);
    const isMatching = selector.matches(object.metadata.labels);
    if (reference === undefined) {
      if (isMatching && !owner.isBeingDeleted && !object.metadata.deletionTimestamp) {
        adopted.push(object);
      }
    } else if (reference.uid === owner.uid) {
      if (isMatching) owned.push(object);
      else if (!owner.isBeingDeleted) released.push(object);
    }
  }
  return { owned, adopted, released };
}

/** How claims are carried out. */
export interface ClaimOptions {
  readonly client: RestClient;
  readonly signal: AbortSignal;
  /** Of the objects: such as pods. */
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  /** Of the owner, to look at it once more before it adopts something. */
  readonly ownerPath: string;
}

/**
 * Adopts and releases, and returns all that the owner has now. What is gone meanwhile is left out.
 *
 * @throws StatusError or TransportError, after all was tried.
 */
export async function carryOutClaims<T extends ApiObject>(
  owner: Owner,
  { owned, adopted, released }: Claims<T>,
  options: ClaimOptions,
): Promise<T[]> {
  const claimed = [...owned];
  if (adopted.length === 0 && released.length === 0) return claimed;
  if (adopted.length > 0) await checkOwner(owner, options);
  const patches = [
    ...adopted.map(async (object) => {
      const ownerReferences = [controllerReference(owner)];
      if (await patchOwners(object, ownerReferences, options)) claimed.push(object);
    }),
    ...released.map(async (object) => {
      const ownerReferences = [{ $patch: 'delete', uid: owner.uid }];
      await patchOwners(object, ownerReferences, options);
    }),
  ];
  const results = await Promise.allSettled(patches);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return claimed;
}

/** Caches may lag: an owner that is going adopts nothing. @throws Error when it is. */
async function checkOwner({ namespace, name, uid }: Owner, options: ClaimOptions): Promise<void> {
  const { client, signal, ownerPath } = options;
  const { metadata } = await client.json<ApiObject>({ method: 'GET', path: ownerPath, signal });
  if (metadata.uid !== uid) {
    throw new Error(`original ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`);
  }
  if (metadata.deletionTimestamp) {
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`);
  }
}

/** False when the object is gone, or another of its name is there. */
async function patchOwners(
  { metadata: { namespace = '', name = '', uid } }: ApiObject,
  ownerReferences: readonly object[],
  { client, signal, resource }: ClaimOptions,
): Promise<boolean> {
  try {
    await client.send({
      method: 'PATCH',
      path: resourcePath({ ...resource, namespace, name }),
      contentType: 'application/strategic-merge-patch+json',
      body: { metadata: { ownerReferences, uid } },
      signal,
    });
    return true;
  } catch (error) {
    if (isReason(error, 'NotFound') || isReason(error, 'Invalid')) return false;
    throw error;
  }
}
