import type { StatefulSet, StatefulSetStatus } from '../../apis/types/apps-v1.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { resourcePath } from '../../client/rest/index.ts';
import type { WorkQueue } from '../../client/work-queue/index.ts';
import { isReason } from '../../machinery/errors/index.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import { type LabelSelector, labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import type { Controller, ControllerContext } from '../controller.ts';
import {
  decideRevision,
  sortRevisions,
  surplusRevisions,
  type TemplateRevision,
  templateOf,
} from '../revision-history/index.ts';
import { keyOf } from '../shared-informers.ts';
import { carryOutClaims, decideClaims } from '../workloads/claims.ts';
import { Expectations } from '../workloads/expectations.ts';
import { followOwned } from '../workloads/follow-owned.ts';
import { createOwnerQueue } from '../workloads/owner-queue.ts';
import type { PodOwner } from '../workloads/pod-control.ts';
import { controllerRevisions, RevisionWriter } from '../workloads/revision-writer.ts';
import { decideStatefulSet, isNewStatus, type StatefulAction } from './decide.ts';
import { asStatusWriter, claimsOf, ordinalOf, revisionOf } from './identity.ts';
import { StatefulPodWrites } from './pod-writes.ts';

const statefulSets = { group: 'apps', version: 'v1', resource: 'statefulsets' };

/** Pods with names and volumes that stay, created, updated and deleted in order. */
export const statefulSetController: Controller = {
  name: 'statefulset',
  run: (context) => new StatefulLoop(context).run(),
};

class StatefulLoop {
  readonly #context: ControllerContext;
  readonly #queue: WorkQueue<string>;
  readonly #expectations: Expectations;
  readonly #writes: StatefulPodWrites;
  readonly #revisions: RevisionWriter;

  constructor(context: ControllerContext) {
    const { informers, settings, clock, dialect } = context;
    this.#context = context;
    this.#expectations = new Expectations(clock);
    this.#writes = new StatefulPodWrites(context);
    this.#revisions = new RevisionWriter(context, dialect.domain('controller', 'hash'));
    this.#queue = createOwnerQueue(context, {
      informers: [
        informers.statefulSets(),
        informers.controllerRevisions(),
        informers.pods(),
        informers.persistentVolumeClaims(),
      ],
      concurrency: settings.concurrentStatefulsetSyncs,
      sync: (namespace, name) => this.#sync(namespace, name),
      rests: { owners: informers.statefulSets(), dependents: informers.pods() },
    });
  }

  async run(): Promise<void> {
    const { informers } = this.#context;
    const add = (set: StatefulSet): void => this.#queue.add(keyOf(set));
    informers.statefulSets().listen({
      onAdd: add,
      onUpdate: add,
      onDelete: (set) => this.#expectations.forget(keyOf(set)),
    });
    followOwned(informers.pods(), {
      keyOf: (reference, namespace) => this.#keyOfReference(reference, namespace),
      adopters: (pod) =>
        informers
          .statefulSets()
          .listIn(pod.metadata.namespace ?? '')
          .filter(
            ({ metadata, spec }) =>
              ordinalOf(pod, metadata.name ?? '') !== undefined &&
              labelSelectorFromObject(spec.selector).matches(pod.metadata.labels),
          )
          .map(keyOf),
      onCreated: (key) => this.#expectations.creationObserved(key),
      onDeleted: (key, uid) => this.#expectations.deletionObserved(key, uid),
      onChange: (key) => this.#queue.add(key),
    });
    await this.#queue.done;
  }

  #keyOfReference({ kind, name, uid }: OwnerReference, namespace: string): string | undefined {
    if (kind !== 'StatefulSet') return undefined;
    const set = this.#context.informers.statefulSets().get(namespace, name);
    return set?.metadata.uid === uid ? `${namespace}/${name}` : undefined;
  }

  async #sync(namespace: string, name: string): Promise<void> {
    const set = this.#context.informers.statefulSets().get(namespace, name);
    if (set === undefined) return;
    const key = keyOf(set);
    // What was written and is not seen yet brings the set here again.
    if (!this.#expectations.isFulfilled(key)) return;
    const selector = labelSelectorFromObject(set.spec.selector);
    if (selector.isEmpty) return;
    const owner = ownerOf(set);
    const history = sortRevisions(await this.#claimRevisions(owner, selector));
    const pods = await this.#claimPods(owner, selector);
    const { template } = set.spec;
    const { revision: update, collisionCount } = await this.#revisions.write(
      {
        owner,
        template,
        annotations: set.metadata.annotations,
        collisionCount: set.status.collisionCount ?? 0,
      },
      decideRevision(history, template),
    );
    const current = history.find(({ metadata }) => metadata.name === set.status.currentRevision) ?? update;
    const nameOf = ({ metadata }: TemplateRevision): string => metadata.name ?? '';
    const { actions, status } = decideStatefulSet({
      set,
      owner,
      pods,
      current: { name: nameOf(current), template: templateOf(current) },
      update: { name: nameOf(update), template },
      collisionCount,
      nameLabel: this.#context.dialect.domain('statefulset', 'pod-name'),
    });
    try {
      await this.#carryOut(set, owner, actions);
      if (isNewStatus(set, status)) await this.#writeStatus(set, status);
    } finally {
      const inUse = new Set([nameOf(current), nameOf(update), ...pods.map(revisionOf)]);
      const limit = set.spec.revisionHistoryLimit ?? 10;
      await this.#revisions.delete(surplusRevisions(history, inUse, limit));
    }
  }

  async #carryOut(set: StatefulSet, owner: PodOwner, actions: readonly StatefulAction[]): Promise<void> {
    if (actions.length === 0) return;
    const key = keyOf(set);
    const uids = actions.flatMap(({ kind, pod }) => (kind === 'delete' ? [pod.metadata.uid ?? ''] : []));
    let missing = actions.filter(({ kind }) => kind === 'create').length;
    this.#expectations.expect(key, { creations: missing, deletions: uids });
    const deleted = new Set<string>();
    try {
      for (const action of actions) {
        await this.#writes.write(action, claimsOf(set, action.ordinal), owner);
        if (action.kind === 'create') missing--;
        if (action.kind === 'delete') deleted.add(action.pod.metadata.uid ?? '');
      }
    } catch (error) {
      this.#expectations.creationObserved(key, missing);
      for (const uid of uids) if (!deleted.has(uid)) this.#expectations.deletionObserved(key, uid);
      throw error;
    }
  }

  #claimPods(owner: PodOwner, selector: LabelSelector): Promise<Pod[]> {
    const { informers } = this.#context;
    const { namespace, name, uid } = owner;
    const candidates = [...informers.pods().controlledBy(uid), ...informers.pods().orphansIn(namespace)];
    const members = candidates.filter((pod) => ordinalOf(pod, name) !== undefined);
    return carryOutClaims(owner, decideClaims(owner, selector, members), {
      ...this.#claimOptions(owner),
      resource: { group: '', version: 'v1', resource: 'pods' },
    });
  }

  /** Those that another selector matched stay the set's: only orphans are adopted. */
  async #claimRevisions(owner: PodOwner, selector: LabelSelector): Promise<TemplateRevision[]> {
    const known = this.#context.informers.controllerRevisions();
    const candidates = [...known.controlledBy(owner.uid), ...known.orphansIn(owner.namespace)];
    const claims = { ...decideClaims(owner, selector, candidates), released: [] };
    return carryOutClaims(owner, claims, { ...this.#claimOptions(owner), resource: controllerRevisions });
  }

  #claimOptions({ namespace, name }: PodOwner) {
    const { client, signal } = this.#context;
    return { client, signal, ownerPath: resourcePath({ ...statefulSets, namespace, name }) };
  }

  async #writeStatus(set: StatefulSet, status: StatefulSetStatus): Promise<void> {
    const { client, signal } = this.#context;
    const { namespace, name } = set.metadata;
    const path = resourcePath({ ...statefulSets, namespace, name, subresource: 'status' });
    try {
      await client.send({ method: 'PUT', path, body: { ...asStatusWriter(set, status), status }, signal });
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error; // deleted meanwhile
    }
  }
}

function ownerOf({ metadata }: StatefulSet): PodOwner {
  const { namespace = '', name = '', uid = '', resourceVersion } = metadata;
  const isBeingDeleted = Boolean(metadata.deletionTimestamp);
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    namespace,
    name,
    uid,
    resourceVersion,
    isBeingDeleted,
  };
}
