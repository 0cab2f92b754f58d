import { claimsOfPod } from '../../apis/core/index.ts';
import type { PersistentVolumeClaim, Pod } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { Controller } from '../controller.ts';
import { createControllerEvents } from '../controller-events.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { missingClaims } from './decide.ts';

/** Makes the claims of volumes that come and go with their pod. The garbage collector takes them away. */
export const ephemeralVolumesController: Controller = {
  name: 'ephemeral-volume',
  async run(context) {
    const { client, informers, signal } = context;
    const pods = informers.pods();
    const claims = informers.persistentVolumeClaims();
    const events = createControllerEvents(context, 'ephemeral_volume');
    const create = async (claim: PersistentVolumeClaim, namespace: string): Promise<void> => {
      const path = resourcePath({ group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace });
      try {
        await client.send({ method: 'POST', path, body: claim, signal });
      } catch (error) {
        throw new Error(`create PVC ${claim.metadata.name}: ${errorText(error)}`, { cause: error });
      }
    };
    const queue = createOwnerQueue(context, {
      informers: [pods, claims],
      concurrency: 5,
      async sync(namespace, name) {
        const pod = pods.get(namespace, name);
        if (pod === undefined || pod.metadata.deletionTimestamp) return;
        for (const { volume, claim } of missingClaims(pod, (claimName) => claims.get(namespace, claimName))) {
          try {
            if (claim instanceof Error) throw claim;
            await create(claim, namespace);
          } catch (error) {
            const { uid = '', resourceVersion } = pod.metadata;
            const about = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
            const message = `ephemeral volume ${volume}: ${errorText(error)}`;
            events.record(about, 'Warning', 'FailedBinding', message);
            throw error;
          }
        }
      },
    });
    const add = (pod: Pod): void => {
      if (claimsOfPod(pod).some(({ isEphemeral }) => isEphemeral)) queue.add(keyOf(pod));
    };
    // Volumes of a pod never change.
    pods.listen({ onAdd: add });
    claims.listen({
      onDelete({ metadata }) {
        for (const pod of pods.listIn(metadata.namespace ?? '')) {
          if (claimsOfPod(pod).some(({ name }) => name === metadata.name)) add(pod);
        }
      },
    });
    await queue.done;
  },
};
