import type { Node, Pod } from '../../apis/types/core-v1.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { createControllerEvents } from '../controller-events.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { decideLabels, decideTaints } from './decide.ts';
import { DeletingEvictions, TaintingEvictions } from './evictions.ts';
import { HealthMonitor } from './health-monitor.ts';
import { patchNode } from './patch-node.ts';
import { PodMarks } from './pod-marks.ts';
import { TaintEvictions } from './taint-evictions.ts';

/**
 * Nodes whose agents fell silent are marked, and so are their pods; taints say what conditions call for, keep new pods away, and evict
 * those that are there, zone by zone and not too many at a time. It starts no pod anywhere else: that is the work of their owners.
 */
export const nodeLifecycleController: Controller = {
  name: 'nodelifecycle',
  async run(context) {
    const events = createControllerEvents(context, 'node-controller');
    const marks = new PodMarks(context, events);
    const isTainting = context.settings.enableTaintManager;
    const evictions = isTainting ? new TaintingEvictions(context) : new DeletingEvictions(context, marks);
    const monitor = new HealthMonitor({ context, events, marks, evictions });
    await Promise.all([
      keepNodes(context),
      keepPods(context, monitor, marks),
      monitor.run(),
      ...(isTainting ? [new TaintEvictions(context).run()] : []),
    ]);
  },
};

/** Taints that keep new pods away, and labels that older clients read. */
async function keepNodes(context: ControllerContext): Promise<void> {
  const { clock, dialect, informers } = context;
  const nodes = informers.nodes();
  const queue = createOwnerQueue(context, {
    informers: [nodes],
    concurrency: 8,
    async sync(_namespace, name) {
      const node = nodes.get('', name);
      if (node === undefined) return;
      await patchNode(context, node, (current) => {
        const taints = decideTaints(current, dialect, clock.nowMs());
        const labels = decideLabels(current, dialect);
        return taints === undefined && labels === undefined ? undefined : { taints, labels };
      });
    },
  });
  const add = (node: Node): void => queue.add(keyOf(node));
  nodes.listen({ onAdd: add, onUpdate: add });
  await queue.done;
}

/** Pods that come to a node that is not ready are not ready either. Source: release 1.20, `processPod`. */
async function keepPods(context: ControllerContext, monitor: HealthMonitor, marks: PodMarks): Promise<void> {
  const pods = context.informers.pods();
  const isOnUnready = ({ spec }: Pod): boolean => {
    const ready = spec.nodeName ? monitor.healthOf(spec.nodeName)?.ready : undefined;
    return ready !== undefined && ready.status !== 'True';
  };
  const queue = createOwnerQueue(context, {
    informers: [pods],
    concurrency: 4,
    async sync(namespace, name) {
      const pod = pods.get(namespace, name);
      if (pod === undefined || !isOnUnready(pod)) return;
      if (!(await marks.markUnready([pod]))) throw new Error('pod could not be marked as not ready');
    },
  });
  pods.listen({
    onAdd: (pod) => {
      if (isOnUnready(pod)) queue.add(keyOf(pod));
    },
    onUpdate: (pod, before) => {
      if (pod.spec.nodeName !== before.spec.nodeName && isOnUnready(pod)) queue.add(keyOf(pod));
    },
  });
  await queue.done;
}
