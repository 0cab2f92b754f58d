import type { Node, PersistentVolume, Pod } from '../../../apis/types/core-v1.ts';
import type { VolumeAttachment } from '../../../apis/types/storage-v1.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import { decodeStored, FollowedCache, type ResourceStore } from '../../../registry/index.ts';
import { NodeGraph } from './node-graph.ts';

/** What the graph of nodes follows. */
export interface FollowedGraphOptions {
  readonly dialect: Dialect;
  /** A store by `group/resource`; undefined until there are stores, and where a resource is not served. */
  storeOf(resource: string): ResourceStore | undefined;
}

/** The graph of nodes, which follows the stores: a write counts for the next question. */
export class FollowedGraph {
  readonly #options: FollowedGraphOptions;
  readonly #graph: NodeGraph;
  #caches: readonly FollowedCache[] | undefined;

  constructor(options: FollowedGraphOptions) {
    this.#options = options;
    this.#graph = new NodeGraph(options.dialect.label('config.mirror'));
  }

  /** The graph as it is after all writes that were acknowledged. */
  refreshed(): NodeGraph {
    this.#caches ??= this.#follow();
    for (const cache of this.#caches ?? []) cache.refresh();
    return this.#graph;
  }

  #follow(): readonly FollowedCache[] | undefined {
    const { storeOf, dialect } = this.#options;
    // Nothing is served yet as long as there are no pods.
    if (storeOf('/pods') === undefined) return undefined;
    const graph = this.#graph;
    return [
      follow<Pod>(storeOf('/pods'), ({ metadata: { namespace, name } }, pod) =>
        graph.setPod(`${namespace}/${name}`, pod),
      ),
      follow<PersistentVolume>(storeOf('/persistentvolumes'), ({ metadata: { name = '' } }, volume) =>
        graph.setVolume(name, volume),
      ),
      follow<Node>(storeOf('/nodes'), ({ metadata: { name = '' } }, node) => graph.setNode(name, node)),
      follow<VolumeAttachment>(
        storeOf(`${dialect.group('storage')}/volumeattachments`),
        ({ metadata: { name = '' } }, attachment) => graph.setAttachment(name, attachment),
      ),
    ].filter((cache) => cache !== undefined);
  }
}

/** Has `set` told of each object of a store that is there, and of each that is gone (undefined). */
function follow<T extends ApiObject>(
  store: ResourceStore | undefined,
  set: (last: ApiObject, object: T | undefined) => void,
): FollowedCache | undefined {
  if (store === undefined) return undefined;
  return new FollowedCache(store, {
    put(stored) {
      const object = decodeStored<T>(stored);
      set(object, object);
    },
    remove: (stored) => set(decodeStored(stored), undefined),
  });
}
