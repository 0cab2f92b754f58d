import type { DiscoveredResource } from '../../client/discovery/index.ts';
import { runReflector } from '../../client/list-watch/index.ts';
import type { ApiObject, OwnerReference } from '../../machinery/meta/index.ts';
import { formatGroupVersion } from '../../machinery/schema/index.ts';
import type { ControllerContext } from '../controller.ts';
import { followOptions } from '../follow-options.ts';
import { metadataMediaTypes } from '../metadata-media-type.ts';
import type { DependencyGraph } from './graph.ts';
import type { GraphNode, ObservedObject } from './node.ts';

export interface MonitorOptions {
  readonly context: ControllerContext;
  readonly graph: DependencyGraph;
  readonly resource: DiscoveredResource;
  /** The first list is complete. Called once. */
  readonly onSynced: () => void;
  /** Something of the resource changed, after the first list. */
  readonly onChange: () => void;
}

/** Keeps the graph's nodes of one resource as the server has them. */
export class Monitor {
  readonly #options: MonitorOptions;
  readonly #end = new AbortController();
  readonly #apiVersion: string;
  #listing = 0;
  #isSynced = false;
  readonly #running: Promise<void>;

  constructor(options: MonitorOptions) {
    this.#options = options;
    const { context, resource } = options;
    this.#apiVersion = formatGroupVersion(resource.group, resource.version);
    const { group, version, name } = resource;
    const signal = AbortSignal.any([context.signal, this.#end.signal]);
    const logger = context.logger.child({ group, version, resource: name });
    this.#running = runReflector({
      ...followOptions({ ...context, signal, logger }),
      collection: { group, version, resource: name },
      accept: metadataMediaTypes(context.dialect),
      sink: {
        beginList: () => void this.#listing++,
        addListed: (objects) => {
          for (const object of objects) this.#observe(object);
        },
        endList: () => this.#finishList(),
        upsert: (object) => this.#observe(object),
        remove: ({ metadata }) => {
          options.graph.remove(metadata.uid ?? '');
          options.onChange();
        },
      },
    });
  }

  get isSynced(): boolean {
    return this.#isSynced;
  }

  /** Stops and forgets what it added: the resource is not served any more. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#running;
    this.#listing++;
    for (const { identity } of this.#unlisted()) this.#options.graph.forget(identity.uid);
  }

  /** Resolves when it has stopped. */
  ended(): Promise<void> {
    return this.#running;
  }

  #observe(object: ApiObject): void {
    const { graph, resource, onChange } = this.#options;
    const node = graph.observe(toObserved(object, this.#apiVersion, resource.kind));
    node.listing = this.#listing;
    if (this.#isSynced) onChange();
  }

  #finishList(): void {
    if (this.#listing > 1) {
      for (const { identity } of this.#unlisted()) this.#options.graph.remove(identity.uid);
    }
    if (this.#isSynced) return;
    this.#isSynced = true;
    this.#options.onSynced();
  }

  /** Nodes of this resource that the last list did not have. */
  #unlisted(): GraphNode[] {
    return [...this.#options.graph.nodes()].filter(
      (node) => !node.isVirtual && node.listing < this.#listing && this.#isOurs(node),
    );
  }

  #isOurs({ identity }: GraphNode): boolean {
    return identity.kind === this.#options.resource.kind && identity.apiVersion === this.#apiVersion;
  }
}

const noOwners: readonly OwnerReference[] = Object.freeze([]);

function toObserved({ metadata }: ApiObject, apiVersion: string, kind: string): ObservedObject {
  const { uid = '', name = '', namespace = '', ownerReferences, finalizers, deletionTimestamp } = metadata;
  const isBeingDeleted = Boolean(deletionTimestamp);
  return {
    identity: { apiVersion, kind, namespace, name, uid },
    owners: ownerReferences ?? noOwners,
    isBeingDeleted,
    waitsForOrphaning: isBeingDeleted && finalizers?.includes('orphan') === true,
    waitsForDependents: isBeingDeleted && finalizers?.includes('foregroundDeletion') === true,
  };
}
