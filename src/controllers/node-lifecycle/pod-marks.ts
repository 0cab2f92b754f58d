import type { Node, Pod } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import { formatTime } from '../../machinery/values/index.ts';
import type { ControllerContext } from '../controller.ts';
import type { ControllerEvents, EventObject } from '../controller-events.ts';
import { readyConditionOf } from '../workloads/pod-state.ts';

const pods = { group: '', version: 'v1', resource: 'pods' };

/** A pod as events name it. */
function podReference({ metadata }: Pick<Pod, 'metadata'>): EventObject {
  const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
  return { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
}

/** A node as events name it. */
export function nodeReference({ metadata: { name = '', uid = '' } }: Pick<Node, 'metadata'>): EventObject {
  return { apiVersion: 'v1', kind: 'Node', namespace: '', name, uid };
}

/** Tells of what became of a node, in a text that begins with its name. Source: release 1.20, `RecordNodeEvent`. */
export function tellOfNode(
  events: ControllerEvents,
  node: Node,
  { reason, text }: { readonly reason: string; readonly text: string },
): void {
  events.record(nodeReference(node), 'Normal', reason, `Node ${node.metadata.name} event: ${text}`);
}

/** Writes what nodes do to their pods, and says so in events. Texts: release 1.20, `pkg/controller/util/node`. */
export class PodMarks {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;

  constructor(context: ControllerContext, events: ControllerEvents) {
    this.#context = context;
    this.#events = events;
  }

  /** Those of a node, in no order. */
  podsOn(node: string): Pod[] {
    return this.#context.informers
      .pods()
      .list()
      .filter(({ spec }) => spec.nodeName === node);
  }

  /** Services must not send anything to these any more. False when not all could be marked. */
  async markUnready(list: readonly Pod[]): Promise<boolean> {
    let isDone = true;
    for (const pod of list) {
      const ready = readyConditionOf(pod);
      if (ready === undefined || ready.status === 'False') continue;
      const lastTransitionTime = formatTime(this.#context.clock.nowMs());
      const unready = { ...ready, status: 'False', lastTransitionTime };
      const conditions = pod.status.conditions?.map((each) => (each === ready ? unready : each));
      const result = await this.#writeStatus(pod, { ...pod.status, conditions });
      if (result === 'failed') isDone = false;
      if (result !== 'written') continue;
      this.#events.record(podReference(pod), 'Warning', 'NodeNotReady', 'Node is not ready');
    }
    return isDone;
  }

  /** Deletes the pods of a silent node but those of daemon sets, which would come back. False when not all could be. */
  async evictAll(node: Node, list: readonly Pod[]): Promise<boolean> {
    const { name = '' } = node.metadata;
    const text = `Deleting all Pods from Node ${name}.`;
    if (list.length > 0) tellOfNode(this.#events, node, { reason: 'DeletingAllPods', text });
    let isDone = true;
    for (const pod of list) if ((await this.#evict(pod, name)) === 'failed') isDone = false;
    return isDone;
  }

  async #evict(pod: Pod, node: string): Promise<Written> {
    if (pod.status.reason !== 'NodeLost') {
      const message = `Node ${node} which was running pod ${pod.metadata.name} is unresponsive`;
      const result = await this.#writeStatus(pod, { ...pod.status, reason: 'NodeLost', message });
      if (result !== 'written') return result;
    }
    const { deletionTimestamp, ownerReferences = [] } = pod.metadata;
    if (deletionTimestamp || ownerReferences.some(({ kind }) => kind === 'DaemonSet')) return 'written';
    const text = `Marking for deletion Pod ${pod.metadata.name} from Node ${node}`;
    this.#events.record(podReference(pod), 'Normal', 'NodeControllerEviction', text);
    return this.#write('DELETE', pod);
  }

  #writeStatus(pod: Pod, status: Pod['status']): Promise<Written> {
    return this.#write('PUT', pod, { ...pod, status });
  }

  async #write(method: 'PUT' | 'DELETE', { metadata }: Pod, body?: Pod): Promise<Written> {
    const { client, signal, logger } = this.#context;
    const { namespace, name } = metadata;
    const subresource = body === undefined ? undefined : 'status';
    const path = resourcePath({ ...pods, namespace, name, ...(subresource && { subresource }) });
    try {
      await client.send({ method, path, body, signal });
      return 'written';
    } catch (error) {
      if (isReason(error, 'NotFound')) return 'gone';
      // The next round finds what is left.
      if (!signal.aborted) logger.debug('pod of a silent node not written', { namespace, name, error });
      return 'failed';
    }
  }
}

type Written = 'written' | 'gone' | 'failed';
