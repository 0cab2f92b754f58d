import type { Pod } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import type { DiscoveredResource } from '../../client/discovery/index.ts';
import type { ApiObject } from '../../machinery/meta/index.ts';
import { formatGroupResource, type GroupResource } from '../../machinery/schema/index.ts';
import type { ControllerContext } from '../controller.ts';
import { preferredResources } from '../deletable-resources.ts';
import { metadataMediaTypes } from '../metadata-media-type.ts';
import { type FollowedResource, type SharedInformer, startIndexedInformer } from '../shared-informers.ts';

export interface CountedResourcesOptions {
  readonly context: ControllerContext;
  /** Objects of the resource in the namespace may use less than before. */
  readonly onRelease: (resource: GroupResource, namespace: string) => void;
}

/** What is served may be as old as this. Source: release 1.20, where quotas look for new resources so often. */
const discoveryAgeMs = 30_000;
/** A resource that cannot be listed for so long must not keep a quota from what it knows of others. */
const maxSyncMs = 10_000;

interface Followed {
  readonly informer: Pick<SharedInformer, 'isSynced' | 'whenSynced' | 'listIn' | 'done'> & {
    listen(listener: { readonly onDelete: (object: ApiObject) => void }): void;
  };
  /** Ends the following; undefined for what is shared with other controllers, which goes on. */
  readonly stop: (() => void) | undefined;
}

/** The objects of the resources that some quota counts. Nothing is followed that none counts. */
export class CountedResources {
  readonly #options: CountedResourcesOptions;
  readonly #followed = new Map<string, Followed>();

  constructor(options: CountedResourcesOptions) {
    this.#options = options;
  }

  /** Objects of a resource in a namespace; undefined when it is not served, or cannot be listed. */
  async objectsIn(resource: GroupResource, namespace: string): Promise<readonly ApiObject[] | undefined> {
    const served = await this.#findServed(resource);
    if (served === undefined) {
      this.#stop(formatGroupResource(resource));
      return undefined;
    }
    if (!served.isNamespaced) return [];
    const { informer } = this.#follow(resource, served);
    if (!informer.isSynced) {
      const { clock, signal } = this.#options.context;
      const synced = informer.whenSynced.catch(() => {}); // it was stopped: then it is not synced below
      await Promise.race([synced, pause(clock, maxSyncMs, signal)]);
    }
    return informer.isSynced ? informer.listIn(namespace) : undefined;
  }

  /** Stops following what is not among the resources that quotas count now. */
  retain(resources: readonly GroupResource[]): void {
    const wanted = new Set(resources.map(formatGroupResource));
    for (const key of this.#followed.keys()) if (!wanted.has(key)) this.#stop(key);
  }

  /** Resolves when nothing is followed any more, after the signal of the context aborted. */
  async ended(): Promise<void> {
    await Promise.all([...this.#followed.values()].map(({ informer }) => informer.done));
  }

  async #findServed(resource: GroupResource): Promise<DiscoveredResource | undefined> {
    const { discovery, clock } = this.#options.context;
    const find = async (sinceMs: number) =>
      preferredResources(await discovery.read(sinceMs), ['create', 'list', 'watch', 'delete']).find(
        ({ group, name }) => group === resource.group && name === resource.resource,
      );
    return (await find(clock.nowMs() - discoveryAgeMs)) ?? (await find(clock.nowMs()));
  }

  #follow(resource: GroupResource, { group, version, name }: DiscoveredResource): Followed {
    const key = formatGroupResource(resource);
    const known = this.#followed.get(key);
    if (known !== undefined) return known;
    const followed = this.#followShared(resource) ?? this.#followMetadata({ group, version, resource: name });
    this.#followed.set(key, followed);
    followed.informer.listen({ onDelete: (object) => this.#release(resource, object) });
    return followed;
  }

  /** Of pods, services and claims more counts than their number. */
  #followShared(resource: GroupResource): Followed | undefined {
    const { informers } = this.#options.context;
    const name = formatGroupResource(resource);
    if (name === 'pods') {
      const pods = informers.pods();
      pods.listen({
        onUpdate: (pod, previous) => {
          if (hasEnded(pod) && !hasEnded(previous)) this.#release(resource, pod);
        },
      });
      return { informer: pods, stop: undefined };
    }
    if (name === 'services') {
      const services = informers.services();
      services.listen({
        onUpdate: (service, previous) => {
          if (service.spec.type !== previous.spec.type) this.#release(resource, service);
        },
      });
      return { informer: services, stop: undefined };
    }
    if (name !== 'persistentvolumeclaims') return undefined;
    return { informer: informers.persistentVolumeClaims(), stop: undefined };
  }

  #followMetadata(resource: FollowedResource): Followed {
    const { context } = this.#options;
    const ending = new AbortController();
    const signal = AbortSignal.any([context.signal, ending.signal]);
    const accept = metadataMediaTypes(context.dialect);
    return {
      informer: startIndexedInformer({ ...context, signal }, { resource, accept }),
      stop: () => ending.abort(),
    };
  }

  #release(resource: GroupResource, { metadata }: ApiObject): void {
    this.#options.onRelease(resource, metadata.namespace ?? '');
  }

  #stop(key: string): void {
    const stop = this.#followed.get(key)?.stop;
    if (stop === undefined) return;
    stop();
    this.#followed.delete(key);
  }
}

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Failed' || status?.phase === 'Succeeded';
