import { claimProtection, claimsOfPod, volumeProtection } from '../../apis/core/index.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod, PodList } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { decideClaimFinalizer, decideVolumeFinalizer, type FinalizerChange } from './decide.ts';

/** Keeps claims that pods use, by their finalizer. It binds and deletes nothing. */
export const claimProtectionController: Controller = {
  name: 'pvc-protection',
  async run(context) {
    const finalizer = claimProtection(context.dialect);
    const claims = context.informers.persistentVolumeClaims();
    const pods = context.informers.pods();
    const queue = createOwnerQueue(context, {
      informers: [claims, pods],
      concurrency: 1,
      async sync(namespace, name) {
        const claim = claims.get(namespace, name);
        if (claim === undefined) return;
        let change = decideClaimFinalizer(claim, finalizer, pods.listIn(namespace));
        // Caches may lag: the server is asked before the claim goes.
        if (change === 'remove') {
          change = decideClaimFinalizer(claim, finalizer, await podsNow(context, namespace));
        }
        await write(context, 'persistentvolumeclaims', claim, finalizer, change);
      },
    });
    const add = (claim: PersistentVolumeClaim): void => queue.add(keyOf(claim));
    const addClaims = (pod: Pod): void => {
      for (const { name } of claimsOfPod(pod)) queue.add(`${pod.metadata.namespace}/${name}`);
    };
    claims.listen({ onAdd: add, onUpdate: add });
    pods.listen({ onDelete: addClaims });
    await queue.done;
  },
};

/** Keeps volumes that claims are bound to, by their finalizer. */
export const volumeProtectionController: Controller = {
  name: 'pv-protection',
  async run(context) {
    const finalizer = volumeProtection(context.dialect);
    const volumes = context.informers.persistentVolumes();
    const queue = createOwnerQueue(context, {
      informers: [volumes],
      concurrency: 1,
      async sync(namespace, name) {
        const volume = volumes.get(namespace, name);
        if (volume === undefined) return;
        const change = decideVolumeFinalizer(volume, finalizer);
        await write(context, 'persistentvolumes', volume, finalizer, change);
      },
    });
    const add = (volume: PersistentVolume): void => queue.add(keyOf(volume));
    volumes.listen({ onAdd: add, onUpdate: add });
    await queue.done;
  },
};

async function podsNow({ client, signal }: ControllerContext, namespace: string): Promise<readonly Pod[]> {
  const path = resourcePath({ group: '', version: 'v1', resource: 'pods', namespace });
  return (await client.json<PodList>({ method: 'GET', path, signal })).items ?? [];
}

/** A full write: its version makes a decision about another state fail. */
async function write(
  { client, signal }: ControllerContext,
  resource: string,
  object: ApiObject,
  finalizer: string,
  change: FinalizerChange,
): Promise<void> {
  if (change === undefined) return;
  const { namespace, name, finalizers = [] } = object.metadata;
  const others = finalizers.filter((each) => each !== finalizer);
  const metadata = { ...object.metadata, finalizers: change === 'add' ? [...others, finalizer] : others };
  try {
    const path = resourcePath({ group: '', version: 'v1', resource, namespace, name });
    await client.send({ method: 'PUT', path, body: { ...object, metadata }, signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error; // gone meanwhile
  }
}
