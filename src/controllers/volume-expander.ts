import { kindOf, type MigratedKind } from '../apis/csi-migration/index.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../apis/types/core-v1.ts';
import { resourcePath } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import { compareQuantities, parseQuantity } from '../machinery/values/index.ts';
import type { Controller, ControllerContext } from './controller.ts';
import { createControllerEvents } from './controller-events.ts';
import { keyOf } from './shared-informers.ts';
import { createOwnerQueue } from './workloads/owner-queue.ts';

/** What is told of a claim that asks for more than it has, and the driver that is asked for it, where that is known. */
export interface Expansion {
  readonly type: 'Normal' | 'Warning';
  readonly message: string;
  readonly driver: string | undefined;
}

/** In which words kinds of volumes are spoken of, and which of them gates leave to drivers. */
export interface ExpansionOptions {
  readonly dialect: Dialect;
  readonly migratedKinds: readonly MigratedKind[];
}

const unknown =
  "didn't find a plugin capable of expanding the volume; waiting for an external controller to process this PVC";

/** Whether a bound claim asks for more than it has. */
const isGrowing = ({ spec, status }: PersistentVolumeClaim): boolean =>
  status.phase === 'Bound' && isLarger(spec.resources.requests?.storage, status.capacity?.storage);

const isLarger = (a: string | undefined, b: string | undefined): boolean =>
  compareQuantities(parseQuantity(a ?? '0'), parseQuantity(b ?? '0')) > 0;

/**
 * What becomes of a claim that asks for more than it has: volumes grow outside, and it is said who is waited for. Undefined for a
 * claim that has all, or whose volume is another's. Pure. Source: release 1.20, `pkg/controller/volume/expand`.
 */
export function decideExpansion(
  claim: PersistentVolumeClaim,
  volume: PersistentVolume | undefined,
  { dialect, migratedKinds }: ExpansionOptions,
): Expansion | undefined {
  if (!isGrowing(claim) || volume === undefined) return undefined;
  if (volume.spec.claimRef?.uid !== claim.metadata.uid) return undefined;
  const kind = kindOf(volume.spec, migratedKinds);
  if (kind === undefined) {
    return { type: 'Warning', message: `Ignoring the PVC: ${unknown}.`, driver: undefined };
  }
  const message = `CSI migration enabled for ${dialect.label(kind.plugin)}; waiting for external resizer to expand the pvc`;
  return { type: 'Normal', message, driver: kind.driver };
}

/** Says of claims that are to grow who is waited for. */
export const volumeExpanderController: Controller = {
  name: 'persistentvolume-expander',
  async run(context) {
    const { informers } = context;
    const claims = informers.persistentVolumeClaims();
    const volumes = informers.persistentVolumes();
    const events = createControllerEvents(context, 'volume_expand');
    const queue = createOwnerQueue(context, {
      informers: [claims, volumes],
      concurrency: 1,
      async sync(namespace, name) {
        const claim = claims.get(namespace, name);
        if (claim === undefined) return;
        const expansion = decideExpansion(claim, volumes.get('', claim.spec.volumeName ?? ''), context);
        if (expansion === undefined) return;
        const { uid = '', resourceVersion } = claim.metadata;
        const about = {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          namespace,
          name,
          uid,
          resourceVersion,
        };
        events.record(about, expansion.type, 'ExternalExpanding', expansion.message);
        if (expansion.driver !== undefined) await nameResizer(context, claim, expansion.driver);
      },
    });
    claims.listen({
      onAdd: (claim) => {
        if (isGrowing(claim)) queue.add(keyOf(claim));
      },
      onUpdate: (claim, { spec: before }) => {
        const asksForMore = isLarger(
          claim.spec.resources.requests?.storage,
          before.resources.requests?.storage,
        );
        if (asksForMore && isGrowing(claim)) queue.add(keyOf(claim));
      },
    });
    await queue.done;
  },
};

/** Which driver is to make the volume larger. */
async function nameResizer(
  { client, signal, dialect }: ControllerContext,
  { metadata }: PersistentVolumeClaim,
  driver: string,
): Promise<void> {
  const annotation = dialect.domain('volume', 'storage-resizer');
  if (metadata.annotations?.[annotation] === driver) return;
  const { namespace, name, uid } = metadata;
  try {
    await client.send({
      method: 'PATCH',
      path: resourcePath({ group: '', version: 'v1', resource: 'persistentvolumeclaims', namespace, name }),
      contentType: 'application/merge-patch+json',
      body: { metadata: { uid, annotations: { [annotation]: driver } } },
      signal,
    });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error; // gone meanwhile
  }
}
