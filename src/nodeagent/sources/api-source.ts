import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { type RestClient, startInformer } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isMirrorPod, podAnnotationNames } from './pod-annotations.ts';
import { podKey } from './pod-key.ts';
import type { PodSource } from './pod-source.ts';

/** What following the pods of a node takes. */
export interface ApiSourceOptions {
  readonly client: RestClient;
  readonly nodeName: string;
  readonly dialect: Dialect;
  /**
   * Takes all pods that are bound to the node, marked as the API server's, and apart from them the mirror pods, as the
   * server has them. First called when the first list has arrived, however long that takes: until then nothing is known.
   * Several changes at once make one call. Pods that did not change are the same objects. Must not throw.
   */
  readonly onPods: (pods: readonly Pod[], mirrors: readonly Pod[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers from 0 to 1 that spread the ends of watches. */
  readonly random?: (() => number) | undefined;
}

/** The pods of the API server. */
export interface ApiSource extends PodSource {
  /** Whether the first list has arrived. */
  readonly isSynced: boolean;
}

/** Follows the pods of this node on the API server, through all failures, until it is disposed of. */
export function startApiSource(options: ApiSourceOptions): ApiSource {
  const { client, nodeName, clock, random } = options;
  const logger = options.logger.child({ source: 'api' });
  const end = new AbortController();
  const read = Promise.withResolvers<void>();
  const pods = new ApiPods(options);
  let isDue = false;

  const handOver = (): void => {
    isDue = false;
    if (end.signal.aborted) return;
    options.onPods(pods.own(), pods.mirrors());
    read.resolve();
  };
  const changed = (): void => {
    if (isDue || !informer.isSynced) return;
    isDue = true;
    setImmediate(handOver); // a burst of events, or a new list, is one change
  };
  const put = (pod: Pod): void => {
    pods.put(pod);
    changed();
  };
  const informer = startInformer<Pod>({
    client,
    clock,
    random,
    resource: { group: '', version: 'v1', resource: 'pods' },
    fieldSelector: `spec.nodeName=${nodeName}`,
    signal: end.signal,
    onError: (error) => logger.error('pod watch failed', { error: String(error) }),
    onAdd: put,
    onUpdate: put,
    onDelete(pod) {
      pods.remove(pod);
      changed();
    },
  });
  informer.whenSynced.then(changed, () => {}); // ended before the first list: nothing to hand over
  return {
    whenRead: read.promise,
    get isSynced() {
      return informer.isSynced;
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await informer.done;
    },
  };
}

/** Pods as the agent takes them, by namespace and name. */
class ApiPods {
  readonly #options: ApiSourceOptions;
  readonly #own = new Map<string, Pod>();
  readonly #mirrors = new Map<string, Pod>();

  constructor(options: ApiSourceOptions) {
    this.#options = options;
  }

  own(): readonly Pod[] {
    return [...this.#own.values()];
  }

  mirrors(): readonly Pod[] {
    return [...this.#mirrors.values()];
  }

  put(pod: Pod): void {
    const key = podKey(pod);
    if (isMirrorPod(pod, this.#options.dialect)) {
      this.#own.delete(key);
      this.#mirrors.set(key, pod);
    } else {
      this.#mirrors.delete(key);
      this.#own.set(key, this.#mark(pod, this.#own.get(key)));
    }
  }

  remove(pod: Pod): void {
    this.#own.delete(podKey(pod));
    this.#mirrors.delete(podKey(pod));
  }

  /** Says whose the pod is, whatever its author says, and since when it is known; drops who wrote which field. */
  #mark(pod: Pod, before: Pod | undefined): Pod {
    const names = podAnnotationNames(this.#options.dialect);
    const isKnown = before !== undefined && before.metadata.uid === pod.metadata.uid;
    const seen = isKnown ? before.metadata.annotations?.[names.seen] : undefined;
    const annotations = {
      ...pod.metadata.annotations,
      [names.seen]: seen ?? new Date(this.#options.clock.nowMs()).toISOString(),
      [names.source]: 'api',
    };
    const { managedFields: _, ...metadata } = pod.metadata;
    return { ...pod, metadata: { ...metadata, annotations } };
  }
}
