import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ObjectMeta, OwnerReference } from '../../machinery/meta/index.ts';
import type { ControllerContext } from '../controller.ts';
import { metadataMediaTypes } from '../metadata-media-type.ts';
import type { PropagationPolicy } from './decide.ts';
import type { Identity } from './node.ts';

/** A resource as paths name it. */
export interface MappedResource {
  readonly group: string;
  readonly version: string;
  readonly name: string;
  readonly isNamespaced: boolean;
}

/** A kind that the server does not serve, now at least. */
export class UnknownKind extends Error {
  override readonly name = 'UnknownKind';
}

/** A cluster-scoped object that names an owner in a namespace: nobody can tell which. */
export class OwnerOutOfReach extends Error {
  override readonly name = 'OwnerOutOfReach';
}

/** The collector's requests: objects one by one, as they are now. */
export interface LiveObjects {
  /** Metadata; undefined when there is no such object. @throws UnknownKind, OwnerOutOfReach */
  read(identity: Identity): Promise<ObjectMeta | undefined>;
  /** Deletes the object if it still has this uid; one that is gone is fine. */
  remove(identity: Identity, policy: PropagationPolicy): Promise<void>;
  /** Replaces the owner references of the object as `metadata` shows it. @throws StatusError Conflict */
  setOwners(identity: Identity, metadata: ObjectMeta, owners: readonly OwnerReference[]): Promise<void>;
  /** Replaces the finalizers of the object as `metadata` shows it. @throws StatusError Conflict */
  setFinalizers(identity: Identity, metadata: ObjectMeta, finalizers: readonly string[]): Promise<void>;
}

/** Requests through a client. `map` finds the resource of a kind. */
export function createLiveObjects(
  { client, dialect, signal }: Pick<ControllerContext, 'client' | 'dialect' | 'signal'>,
  map: (apiVersion: string, kind: string) => MappedResource | undefined,
): LiveObjects {
  const accept = metadataMediaTypes(dialect).object;

  function pathOf({ apiVersion, kind, namespace, name }: Identity): string {
    const mapped = map(apiVersion, kind);
    if (mapped === undefined) throw new UnknownKind(`no resource of kind ${kind} in ${apiVersion}`);
    const { group, version, name: resource, isNamespaced } = mapped;
    if (!isNamespaced) return resourcePath({ group, version, resource, name });
    if (namespace === '')
      throw new OwnerOutOfReach(`${kind} ${name} has a namespace, its dependent has none`);
    return resourcePath({ group, version, resource, namespace, name });
  }

  async function patch(identity: Identity, metadata: object): Promise<void> {
    await client.send({
      method: 'PATCH',
      path: pathOf(identity),
      contentType: 'application/merge-patch+json',
      body: { metadata },
      accept,
      signal,
    });
  }

  return {
    async read(identity) {
      try {
        const path = pathOf(identity);
        const found = await client.json<{ metadata: ObjectMeta }>({ method: 'GET', path, accept, signal });
        return found.metadata;
      } catch (error) {
        if (isReason(error, 'NotFound')) return undefined;
        throw error;
      }
    },
    async remove(identity, propagationPolicy) {
      const { uid } = identity;
      const body = { kind: 'DeleteOptions', apiVersion: 'v1', preconditions: { uid }, propagationPolicy };
      try {
        await client.send({ method: 'DELETE', path: pathOf(identity), body, signal });
      } catch (error) {
        if (!isReason(error, 'NotFound')) throw error;
      }
    },
    setOwners: (identity, { uid, resourceVersion }, owners) =>
      patch(identity, { uid, resourceVersion, ownerReferences: owners.length === 0 ? null : owners }),
    setFinalizers: (identity, { uid, resourceVersion }, finalizers) =>
      patch(identity, { uid, resourceVersion, finalizers: finalizers.length === 0 ? null : finalizers }),
  };
}
