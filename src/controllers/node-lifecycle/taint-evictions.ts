import type { Node, Pod } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { keyOf } from '../shared-informers.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { evictingTaints, toleratedForMs } from './tolerance.ts';

/** A pod that goes, or will. */
interface Eviction {
  readonly pod: Pod;
  readonly dueMs: number;
  /** It was too late to take it back. */
  isBegun: boolean;
  /** The event was written. */
  isTold: boolean;
}

/** Timers cannot be set for any length; a later eviction is looked at again. */
const maxTimerMs = 3_600_000;

/**
 * Deletes pods from nodes whose taints they do not tolerate, or not for ever. A taint that goes in time takes the eviction back.
 * Source: release 1.20, `NoExecuteTaintManager`.
 */
export class TaintEvictions {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;
  readonly #evictions = new Map<string, Eviction>();
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext) {
    const { informers } = context;
    this.#context = context;
    this.#events = createControllerEvents(context, 'taint-controller');
    this.#queue = createOwnerQueue(context, {
      informers: [informers.nodes(), informers.pods()],
      concurrency: 8,
      sync: (namespace, name) => this.#evict(`${namespace}/${name}`),
    });
  }

  async run(): Promise<void> {
    const { informers } = this.#context;
    await Promise.all([informers.nodes().whenSynced, informers.pods().whenSynced]);
    informers.nodes().listen({
      onAdd: (node) => {
        if (evictingTaints(node.spec.taints).length > 0) this.#checkNode(node);
      },
      onUpdate: (node, before) => {
        if (!deepEqual(evictingTaints(node.spec.taints), evictingTaints(before.spec.taints))) {
          this.#checkNode(node);
        }
      },
    });
    informers.pods().listen({
      onAdd: (pod) => this.#checkAssigned(pod),
      onUpdate: (pod, before) => {
        const isSame =
          pod.metadata.uid === before.metadata.uid &&
          pod.spec.nodeName === before.spec.nodeName &&
          deepEqual(pod.spec.tolerations, before.spec.tolerations);
        if (!isSame) this.#checkAssigned(pod);
      },
      onDelete: (pod) => this.#takeBack(keyOf(pod)),
    });
    await this.#queue.done;
  }

  #checkNode(node: Node): void {
    const taints = evictingTaints(node.spec.taints);
    for (const pod of this.#context.informers.pods().list()) {
      if (pod.spec.nodeName !== node.metadata.name) continue;
      if (taints.length === 0) this.#takeBack(keyOf(pod));
      else this.#check(pod, node);
    }
  }

  #checkAssigned(pod: Pod): void {
    const node = pod.spec.nodeName && this.#context.informers.nodes().get('', pod.spec.nodeName);
    if (node) this.#check(pod, node);
  }

  #check(pod: Pod, { spec }: Node): void {
    const taints = evictingTaints(spec.taints);
    if (taints.length === 0) return;
    const forMs = toleratedForMs(taints, pod.spec.tolerations ?? []);
    let known = this.#evictions.get(keyOf(pod));
    if (known !== undefined && known.pod.metadata.uid !== pod.metadata.uid) {
      this.#evictions.delete(keyOf(pod));
      known = undefined;
    }
    // What is to go in a while still goes then, whatever else came meanwhile.
    if (forMs > 0 && (known !== undefined || forMs === Number.POSITIVE_INFINITY)) return;
    if (known?.isBegun === true) return;
    if (known !== undefined) this.#takeBack(keyOf(pod));
    const dueMs = this.#context.clock.nowMs() + forMs;
    this.#evictions.set(keyOf(pod), { pod, dueMs, isBegun: forMs === 0, isTold: false });
    this.#queue.addAfter(keyOf(pod), Math.min(forMs, maxTimerMs));
  }

  #takeBack(key: string): void {
    const eviction = this.#evictions.get(key);
    this.#evictions.delete(key);
    if (eviction?.isBegun === false) this.#tell(eviction.pod, 'Cancelling deletion of');
  }

  #tell(pod: Pod, what: string): void {
    const { namespace = '', name = '' } = pod.metadata;
    // Only its name is known where release 1.20 tells of it.
    const about = { apiVersion: '', kind: 'Pod', namespace, name, uid: '' };
    this.#events.record(about, 'Normal', 'TaintManagerEviction', `${what} Pod ${namespace}/${name}`);
  }

  async #evict(key: string): Promise<void> {
    const eviction = this.#evictions.get(key);
    if (eviction === undefined) return; // taken back
    const { pod, dueMs } = eviction;
    const { client, signal, clock } = this.#context;
    const leftMs = dueMs - clock.nowMs();
    if (leftMs > 0) {
      this.#queue.addAfter(key, Math.min(leftMs, maxTimerMs));
      return;
    }
    eviction.isBegun = true;
    const { namespace, name, uid } = pod.metadata;
    if (!eviction.isTold) {
      this.#tell(pod, 'Marking for deletion');
    }
    eviction.isTold = true;
    try {
      await client.send({
        method: 'DELETE',
        path: resourcePath({ group: '', version: 'v1', resource: 'pods', namespace, name }),
        // Names come again: another pod of the name may stay.
        body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } },
        signal,
      });
    } catch (error) {
      if (!isReason(error, 'NotFound') && !isReason(error, 'Conflict')) throw error; // gone, or another one
    }
  }
}
