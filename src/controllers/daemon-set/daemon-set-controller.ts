import type { DaemonSet } from '../../apis/types/apps-v1.ts';
import type { Node, Pod } from '../../apis/types/core-v1.ts';
import { deepEqual } from '../../apis/validation/index.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { ApiObject, OwnerReference } from '../../machinery/meta/index.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { sortRevisions } from '../revision-history/index.ts';
import { keyOf, type SharedInformer } from '../shared-informers.ts';
import { type ClaimOptions, carryOutClaims, decideClaims } from '../workloads/claims.ts';
import { Expectations } from '../workloads/expectations.ts';
import { ExpectedPods } from '../workloads/expected-pods.ts';
import { followOwned } from '../workloads/follow-owned.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import { PodControl, type PodOwner } from '../workloads/pod-control.ts';
import { nextAvailableAtMs } from '../workloads/pod-state.ts';
import { controllerRevisions } from '../workloads/revision-writer.ts';
import { type DaemonFacts, decideDaemonSet } from './decide.ts';
import { FailurePauses } from './failure-pauses.ts';
import { hashOf, surplusHistory } from './history.ts';
import { HistoryWrites } from './history-writes.ts';
import { daemonPlacement, daemonPods, type Placement } from './placement.ts';
import { decideDaemonStatus } from './status.ts';

const daemonSets = { group: 'apps', version: 'v1', resource: 'daemonsets' };
const pods = { group: '', version: 'v1', resource: 'pods' };

/** Counts changes of the template; `apps/v1` has no field for it any more. */
const templateGeneration = 'deprecated.daemonset.template.generation';

/** Keeps one pod of each daemon set on every node that it fits, and takes these pods from one template to the next. */
export const daemonSetController: Controller = {
  name: 'daemonset',
  run: (context) => new DaemonLoop(context).run(),
};

class DaemonLoop {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;
  readonly #queue: WorkQueue<string>;
  readonly #expectations: Expectations;
  readonly #writes: ExpectedPods;
  readonly #histories: HistoryWrites;
  readonly #failures = new FailurePauses();
  /** What was made of each version of a set, which every change of a node asks again. */
  readonly #placements = new WeakMap<DaemonSet, Placement>();

  constructor(context: ControllerContext) {
    const { informers, settings, clock } = context;
    this.#context = context;
    this.#events = createControllerEvents(context, 'daemonset-controller');
    this.#expectations = new Expectations(clock);
    this.#writes = new ExpectedPods(new PodControl(context, this.#events), this.#expectations);
    this.#histories = new HistoryWrites(context);
    this.#queue = createOwnerQueue(context, {
      informers: [
        informers.daemonSets(),
        informers.controllerRevisions(),
        informers.pods(),
        informers.nodes(),
      ],
      concurrency: settings.concurrentDaemonsetSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
      rests: { owners: informers.daemonSets(), dependents: informers.pods() },
    });
  }

  async run(): Promise<void> {
    const { informers } = this.#context;
    const add = (set: DaemonSet): void => this.#queue.add(keyOf(set));
    informers.daemonSets().listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (set) => {
        this.#expectations.forget(keyOf(set));
        this.#failures.forget(set.metadata.uid ?? '');
      },
    });
    followOwned(informers.pods(), {
      keyOf: (reference, namespace) => this.#keyOfReference(reference, namespace),
      adopters: ({ metadata }) =>
        informers
          .daemonSets()
          .listIn(metadata.namespace ?? '')
          .filter(({ spec }) => labelSelectorFromObject(spec.selector).matches(metadata.labels))
          .map(keyOf),
      onCreated: (key) => this.#expectations.creationObserved(key),
      onDeleted: (key, uid) => this.#expectations.deletionObserved(key, uid),
      onChange: (key) => this.#queue.add(key),
    });
    // Nobody is told of a node that goes, as in release 1.20: the end of its pods tells.
    informers.nodes().listen({
      onAdd: (node) => this.#tellSets((placement) => placement(node).shouldRun),
      onUpdate: (node, before) => {
        if (isSamePlace(node, before)) return;
        this.#tellSets((placement) => !deepEqual(placement(node), placement(before)));
      },
    });
    await this.#queue.done;
  }

  #tellSets(isConcerned: (placement: Placement) => boolean): void {
    for (const set of this.#context.informers.daemonSets().list()) {
      if (isConcerned(this.#placementOf(set))) this.#queue.add(keyOf(set));
    }
  }

  #placementOf(set: DaemonSet): Placement {
    let placement = this.#placements.get(set);
    if (placement === undefined) {
      placement = daemonPlacement(set.spec.template, this.#context.dialect);
      this.#placements.set(set, placement);
    }
    return placement;
  }

  #keyOfReference({ kind, name, uid }: OwnerReference, namespace: string): string | undefined {
    if (kind !== 'DaemonSet') return undefined;
    const set = this.#context.informers.daemonSets().get(namespace, name);
    return set?.metadata.uid === uid ? `${namespace}/${name}` : undefined;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const { informers } = this.#context;
    const set = informers.daemonSets().get(namespace, name);
    if (set === undefined) return;
    const owner = ownerOf(set);
    const selector = labelSelectorFromObject(set.spec.selector);
    if (selector.isEmpty) {
      const text = 'This daemon set is selecting all pods. A non-empty selector is required.';
      this.#events.record(owner, 'Warning', 'SelectingAll', text);
      return;
    }
    // Its history may be gone already, and would be written anew.
    if (owner.isBeingDeleted) return;
    // Asked before the pods are read: what is seen in between must not count as known.
    const mayManage = this.#expectations.isFulfilled(keyOf(set));
    const written = await this.#histories.write(
      {
        owner,
        template: set.spec.template,
        annotations: set.metadata.annotations,
        collisionCount: set.status.collisionCount ?? 0,
      },
      sortRevisions(await this.#claim(informers.controllerRevisions(), controllerRevisions, owner, selector)),
      await this.#claim(informers.pods(), pods, owner, selector),
    );
    const facts: DaemonFacts = {
      set,
      pods: written.pods,
      nodes: informers.nodes().list(),
      placement: this.#placementOf(set),
      hash: hashOf(written.revision),
      nowMs: this.#context.clock.nowMs(),
    };
    if (mayManage) {
      await this.#manage(facts, owner);
      const { name: current = '' } = written.revision.metadata;
      const limit = set.spec.revisionHistoryLimit ?? 10;
      await this.#histories.delete(surplusHistory(written.history, { current, pods: facts.pods, limit }));
    }
    // Some of what was written may be seen by now.
    const seen = { ...facts, pods: this.#readAgain(facts.pods, owner) };
    await this.#writeStatus(seen, { isObserved: mayManage, collisionCount: written.collisionCount });
  }

  /** The pods as they are now; those that were just adopted may not look so yet. */
  #readAgain(claimed: readonly Pod[], { uid, namespace }: PodOwner): Pod[] {
    const informer = this.#context.informers.pods();
    const kept = claimed.flatMap(({ metadata }): Pod[] => {
      const pod = informer.get(namespace, metadata.name ?? '');
      return pod !== undefined && pod.metadata.uid === metadata.uid ? [pod] : [];
    });
    return [...new Set([...kept, ...informer.controlledBy(uid)])];
  }

  async #manage(facts: DaemonFacts, owner: PodOwner): Promise<void> {
    const { set, hash, nowMs } = facts;
    const { generation = 0, annotations } = set.metadata;
    const plan = decideDaemonSet(facts, (node) =>
      this.#failures.remainingMs(owner.uid, generation, { node, nowMs }),
    );
    for (const { pod, node } of plan.failed) {
      this.#failures.failed(owner.uid, generation, { node, nowMs });
      const { namespace, name } = pod.metadata;
      const text = `Found failed daemon pod ${namespace}/${name} on node ${node}, will try to kill it`;
      this.#events.record(owner, 'Warning', 'FailedDaemonPod', text);
    }
    if (plan.retryAfterMs !== undefined) this.#queue.addAfter(keyOf(set), plan.retryAfterMs);
    const count = annotations?.[templateGeneration] ?? '';
    const { template } = set.spec;
    const makePod = daemonPods(
      { template, owner, hash, generation: /^\d{1,18}$/.test(count) ? count : undefined },
      this.#context.dialect,
    );
    const { error } = await this.#writes.replace(owner, {
      creations: plan.creations.map(makePod),
      deletions: plan.deletions,
    });
    if (error !== undefined) throw error;
  }

  /** What the set has of a kind, after it took and let go what it should. */
  async #claim<T extends ApiObject>(
    informer: SharedInformer<T>,
    resource: ClaimOptions['resource'],
    owner: PodOwner,
    selector: LabelSelector,
  ): Promise<T[]> {
    const { client, signal } = this.#context;
    const { namespace, name } = owner;
    const candidates = [...informer.controlledBy(owner.uid), ...informer.orphansIn(namespace)];
    return carryOutClaims(owner, decideClaims(owner, selector, candidates), {
      client,
      signal,
      resource,
      ownerPath: resourcePath({ ...daemonSets, namespace, name }),
    });
  }

  async #writeStatus(facts: DaemonFacts, options: Parameters<typeof decideDaemonStatus>[1]): Promise<void> {
    const { client, signal } = this.#context;
    const { set, nowMs } = facts;
    // Looks again when the next pod will have been ready for long enough.
    const nextMs = nextAvailableAtMs(facts.pods, set.spec.minReadySeconds ?? 0, nowMs);
    if (nextMs !== undefined) this.#queue.addAfter(keyOf(set), nextMs - nowMs);
    const status = decideDaemonStatus(facts, options);
    if (status === undefined) return;
    const { namespace, name } = set.metadata;
    const path = resourcePath({ ...daemonSets, namespace, name, subresource: 'status' });
    try {
      await client.send({ method: 'PUT', path, body: { ...set, status }, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error; // deleted meanwhile
    }
  }
}

/** Whether nothing changed that decides who is on a node. */
const isSamePlace = (a: Node, b: Node): boolean =>
  deepEqual(a.spec.taints, b.spec.taints) && deepEqual(a.metadata.labels, b.metadata.labels);

function ownerOf({ metadata }: DaemonSet): PodOwner {
  const { namespace = '', name = '', uid = '', resourceVersion, deletionTimestamp } = metadata;
  const isBeingDeleted = Boolean(deletionTimestamp);
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', namespace, name, uid, resourceVersion, isBeingDeleted };
}
