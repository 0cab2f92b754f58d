import { claimsOfPod } from '../../apis/core/index.ts';
import { kindOf, kindsOnNode } from '../../apis/csi-migration/index.ts';
import type { Node, Pod } from '../../apis/types/core-v1.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { AttachDetachLoop } from './attach-detach-loop.ts';
import type { WantedSources } from './wanted-volumes.ts';

/**
 * Has drivers attach the volumes of pods to their nodes, and detach them when no pod there needs them and the node has let go. It
 * attaches nothing itself: the programs beside the drivers do, and volumes that are served by none are left to agents.
 */
export const attachDetachController: Controller = {
  name: 'attachdetach',
  async run(context) {
    const loop = new AttachDetachLoop(context, sourcesOf(context));
    followObjects(context, () => loop.wake());
    await loop.run();
  },
};

function sourcesOf({ informers, dialect, migratedKinds }: ControllerContext): WantedSources {
  const claims = informers.persistentVolumeClaims();
  const volumes = informers.persistentVolumes();
  const drivers = informers.csiDrivers();
  const csiNodes = informers.csiNodes();
  const nodes = informers.nodes();
  return {
    dialect,
    claim: (namespace, name) => claims.get(namespace, name),
    volume: (name) => volumes.get('', name),
    driver: (name) => drivers.get('', name),
    node: (name) => nodes.get('', name),
    migratedOn(name) {
      if (migratedKinds.length === 0) return [];
      const csiNode = csiNodes.get('', name);
      return csiNode === undefined ? [] : kindsOnNode(csiNode, migratedKinds, dialect);
    },
  };
}

/** Whatever may change what is to be attached wakes the loop; pods without such volumes, and signs of life of nodes, do not. */
function followObjects({ informers, migratedKinds }: ControllerContext, wake: () => void): void {
  const wakeForPod = (pod: Pod): void => {
    const isMigrated = pod.spec.volumes?.some((volume) => kindOf(volume, migratedKinds) !== undefined);
    if (pod.spec.nodeName && (isMigrated || claimsOfPod(pod).length > 0)) wake();
  };
  informers.pods().listen({ onAdd: wakeForPod, onUpdate: wakeForPod, onDelete: wakeForPod });
  informers.nodes().listen({
    onAdd: wake,
    onUpdate: (node, before) => {
      if (partsOf(node) !== partsOf(before)) wake();
    },
    onDelete: wake,
  });
  for (const informer of [
    informers.persistentVolumeClaims(),
    informers.persistentVolumes(),
    informers.csiDrivers(),
    informers.csiNodes(),
  ]) {
    informer.listen({ onAdd: wake, onUpdate: wake, onDelete: wake });
  }
}

/** What counts here of a node. */
const partsOf = ({ metadata, status }: Node): string =>
  JSON.stringify([metadata.annotations, status.volumesInUse, status.volumesAttached]);
