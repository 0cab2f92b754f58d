import type { ReplicaSet } from '../../apis/types/apps-v1.ts';
import type { Pod, ReplicationController } from '../../apis/types/core-v1.ts';
import { errorText } from '../../base/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import {
  type LabelSelector,
  labelSelectorFromObject,
  labelSelectorFromSet,
} from '../../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { createControllerEvents } from '../controller-events.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { carryOutClaims, controllerOf, decideClaims } from '../workloads/claims.ts';
import { Expectations } from '../workloads/expectations.ts';
import { ExpectedPods } from '../workloads/expected-pods.ts';
import { followOwned } from '../workloads/follow-owned.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { PodControl, type PodOwner, podFromTemplate } from '../workloads/pod-control.ts';
import { isPodActive, nextAvailableAtMs } from '../workloads/pod-state.ts';
import { decideReplicaStatus, decideReplicas, type ReplicaOwner, type ReplicaProblem } from './decide.ts';

/** What the two kinds that keep a number of pods differ in. */
interface ReplicaKind<T extends ReplicaOwner> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly informer: SharedInformer<T>;
  readonly selectorOf: (owner: T) => LabelSelector;
  /** Owners of the same deployment, itself included; none of an owner that no deployment has. */
  readonly relatedTo: (owner: T) => readonly T[];
  readonly concurrency: number;
  readonly component: string;
}

/** Keeps as many pods of each replica set as it asks for. */
export const replicaSetController: Controller = {
  name: 'replicaset',
  run: (context) => {
    const informer = context.informers.replicaSets();
    return new ReplicaLoop<ReplicaSet>(context, {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      resource: { group: 'apps', version: 'v1', resource: 'replicasets' },
      informer,
      selectorOf: ({ spec }) => labelSelectorFromObject(spec.selector),
      relatedTo: (set) => {
        const deployment = controllerOf(set);
        return deployment === undefined ? [] : informer.controlledBy(deployment.uid);
      },
      concurrency: context.settings.concurrentReplicasetSyncs,
      component: 'replicaset-controller',
    }).run();
  },
};

/** Keeps as many pods of each replication controller as it asks for. */
export const replicationControllerController: Controller = {
  name: 'replicationcontroller',
  run: (context) =>
    new ReplicaLoop<ReplicationController>(context, {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      resource: { group: '', version: 'v1', resource: 'replicationcontrollers' },
      informer: context.informers.replicationControllers(),
      selectorOf: ({ spec }) => labelSelectorFromSet(spec.selector ?? {}),
      relatedTo: () => [],
      concurrency: context.settings.concurrentRcSyncs,
      component: 'replication-controller',
    }).run(),
};

class ReplicaLoop<T extends ReplicaOwner> {
  readonly #context: ControllerContext;
  readonly #kind: ReplicaKind<T>;
  readonly #pods: SharedInformer<Pod>;
  readonly #expectations: Expectations;
  readonly #writes: ExpectedPods;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext, kind: ReplicaKind<T>) {
    this.#context = context;
    this.#kind = kind;
    this.#pods = context.informers.pods();
    this.#expectations = new Expectations(context.clock);
    const control = new PodControl(context, createControllerEvents(context, kind.component));
    this.#writes = new ExpectedPods(control, this.#expectations);
    this.#queue = createOwnerQueue(context, {
      informers: [kind.informer, this.#pods],
      concurrency: kind.concurrency,
      sync: (namespace, name) => this.#sync(namespace, name),
      rests: { owners: kind.informer, dependents: this.#pods },
    });
  }

  async run(): Promise<void> {
    const add = (owner: T): void => this.#queue.add(keyOf(owner));
    this.#kind.informer.listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (owner) => {
        this.#expectations.forget(keyOf(owner));
        add(owner);
      },
    });
    followOwned(this.#pods, {
      keyOf: (reference, namespace) => this.#keyOfReference(reference, namespace),
      adopters: (pod) => this.#adoptersOf(pod),
      onCreated: (key) => this.#expectations.creationObserved(key),
      onDeleted: (key, uid) => this.#expectations.deletionObserved(key, uid),
      onChange: (key) => this.#queue.add(key),
    });
    await this.#queue.done;
  }

  #keyOfReference({ kind, name, uid }: OwnerReference, namespace: string): string | undefined {
    if (kind !== this.#kind.kind) return undefined;
    const owner = this.#kind.informer.get(namespace, name);
    return owner?.metadata.uid === uid ? `${namespace}/${name}` : undefined;
  }

  #adoptersOf({ metadata }: Pod): string[] {
    const { informer, selectorOf } = this.#kind;
    return informer.listIn(metadata.namespace ?? '').flatMap((owner) => {
      const selector = selectorOf(owner);
      return !selector.isEmpty && selector.matches(metadata.labels) ? [keyOf(owner)] : [];
    });
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const owner = this.#kind.informer.get(namespace, name);
    if (owner === undefined) return;
    const key = keyOf(owner);
    // Asked before the pods are read: what is seen in between must not count as known.
    const mayManage = this.#expectations.isFulfilled(key);
    const podOwner = this.#ownerOf(owner);
    const pods = await this.#claimPods(owner, podOwner);
    const failure =
      mayManage && !podOwner.isBeingDeleted ? await this.#manage(owner, podOwner, pods) : undefined;
    // Halfway through what was written here a count is nobody's: a deployment would take it for progress of its own.
    if (mayManage) await this.#writeStatus(owner, pods, failure?.problem);
    if (failure !== undefined) throw failure.error;
    this.#awaitAvailability(key, owner, pods);
  }

  async #claimPods(owner: T, podOwner: PodOwner): Promise<Pod[]> {
    const { resource, selectorOf } = this.#kind;
    const { namespace, name, uid } = podOwner;
    const candidates = [...this.#pods.controlledBy(uid), ...this.#pods.orphansIn(namespace)].filter(
      isPodActive,
    );
    return carryOutClaims(podOwner, decideClaims(podOwner, selectorOf(owner), candidates), {
      client: this.#context.client,
      signal: this.#context.signal,
      resource: { group: '', version: 'v1', resource: 'pods' },
      ownerPath: resourcePath({ ...resource, namespace, name }),
    });
  }

  /** Creates or deletes what is missing or too many; what went wrong. */
  async #manage(
    owner: T,
    podOwner: PodOwner,
    pods: readonly Pod[],
  ): Promise<{ readonly error: unknown; readonly problem: ReplicaProblem } | undefined> {
    const related = this.#kind
      .relatedTo(owner)
      .flatMap(({ metadata }) => this.#pods.controlledBy(metadata.uid ?? ''));
    const { creations, deletions } = decideReplicas(owner, pods, related);
    const { template } = owner.spec;
    const isCreation = creations > 0 && template !== undefined;
    const { error } = isCreation
      ? await this.#writes.create(podFromTemplate(template, podOwner), podOwner, creations)
      : await this.#writes.delete(deletions, podOwner);
    if (error === undefined) return undefined;
    const text = errorText(error);
    const problem: ReplicaProblem = isCreation
      ? { reason: 'FailedCreate', message: text }
      : { reason: 'FailedDelete', message: `unable to delete pods: ${text}` };
    return { error, problem };
  }

  async #writeStatus(owner: T, pods: readonly Pod[], problem: ReplicaProblem | undefined): Promise<void> {
    const { client, signal, clock } = this.#context;
    const status = decideReplicaStatus(owner, pods, { problem, nowMs: clock.nowMs() });
    if (status === undefined) return;
    const { namespace, name } = owner.metadata;
    const path = resourcePath({ ...this.#kind.resource, namespace, name, subresource: 'status' });
    try {
      await client.send({ method: 'PUT', path, body: { ...owner, status }, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error; // deleted meanwhile
    }
  }

  /** Looks again when the next pod will have been ready for long enough. */
  #awaitAvailability(key: string, { spec }: ReplicaOwner, pods: readonly Pod[]): void {
    const nowMs = this.#context.clock.nowMs();
    const nextMs = nextAvailableAtMs(pods, spec.minReadySeconds ?? 0, nowMs);
    if (nextMs !== undefined) this.#queue.addAfter(key, nextMs - nowMs);
  }

  #ownerOf({ metadata }: T): PodOwner {
    const { apiVersion, kind } = this.#kind;
    const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
    const isBeingDeleted = Boolean(metadata.deletionTimestamp);
    return { apiVersion, kind, namespace, name, uid, resourceVersion, isBeingDeleted };
  }
}
