import { claimsOfPod } from '../apis/core/index.ts';
import { kindOf, type MigratedKind } from '../apis/csi-migration/index.ts';
import type { Node, Pod } from '../apis/types/core-v1.ts';
import { type Clock, errorText, type Logger } from '../base/index.ts';
import type { Informer } from '../client/informer/index.ts';
import type { RestClient } from '../client/rest/index.ts';
import type { Dialect } from '../machinery/dialect.ts';
import { isReason } from '../machinery/errors/index.ts';
import { bindClaims, bindPod } from './bind.ts';
import { Cluster } from './cluster.ts';
import { PodEvents } from './events.ts';
import { type ClaimPlan, planFor } from './filters/index.ts';
import { follow } from './follow.ts';
import { changesPlacement } from './node-changes.ts';
import { ClusterObjects } from './objects.ts';
import { type Placement, placePod } from './place.ts';
import { describePod, hasEnded, matchesTerm, type PodInfo } from './pod-info.ts';
import { evictRequest, type PlacementReport, reportRequest, unnominateRequest } from './pod-status.ts';
import { mayPreempt, nodesToFree, planPreemption } from './preempt.ts';
import { type QueuedPod, SchedulingQueue } from './queue.ts';

/** What a scheduler runs with. */
export interface SchedulerOptions {
  readonly client: RestClient;
  readonly dialect: Dialect;
  /** Whose pods it places: values of `spec.schedulerName`. */
  readonly names: readonly string[];
  /** Built-in kinds of volumes that gates leave to drivers. */
  readonly migratedKinds: readonly MigratedKind[];
  /** Of this process, for events. */
  readonly host: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Ends the scheduler. */
  readonly signal: AbortSignal;
}

/** Placements that are being written at once. */
const maxBindings = 32;

/**
 * Places pods. It follows pods only until there is one to place, so that a server without pods pays next to nothing. A pod
 * that was given a node counts there at once, before that is written.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #names: ReadonlySet<string>;
  readonly #queue: SchedulingQueue;
  readonly #objects: ClusterObjects;
  readonly #cluster: Cluster;
  readonly #events: PodEvents;
  readonly #cursor = { next: 0 };
  /** Pods that count on a node that was not seen to be theirs yet, by key. */
  readonly #assumed = new Map<string, string>();
  readonly #bindings = new Set<Promise<void>>();
  /** Those that wait for claims first, which may take minutes. */
  readonly #claiming = new Set<Promise<void>>();
  #ready = Promise.withResolvers<void>();

  constructor(options: SchedulerOptions) {
    const { clock, dialect, names } = options;
    this.#options = options;
    this.#names = new Set(names);
    this.#queue = new SchedulingQueue(clock, () => this.#ready.resolve());
    this.#objects = new ClusterObjects(options, options, {
      onNode: (node, before) => this.#seeNode(node, before),
      onNodeGone: ({ metadata: { name = '' } }) => this.#cluster.removeNode(name),
      onChange: () => this.#queue.wake(),
    });
    this.#cluster = new Cluster(dialect, this.#objects);
    this.#events = new PodEvents(options);
  }

  /** Runs until the signal aborts; resolves when nothing runs any more. Never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const stop = (): void => this.#ready.resolve();
    signal.addEventListener('abort', stop, { once: true });
    const pods = this.#followPods();
    await pods.whenSynced.catch(() => {}); // it ended before
    while (!signal.aborted) {
      const next = this.#queue.pop();
      if (next === undefined) await this.#whenReady();
      else await this.#tryPatiently(next);
    }
    this.#queue.close();
    await Promise.all([pods.done, this.#objects.ended(), ...this.#bindings, ...this.#claiming]);
  }

  async #whenReady(): Promise<void> {
    await this.#ready.promise;
    this.#ready = Promise.withResolvers();
  }

  #followPods(): Informer<Pod> {
    return follow<Pod>(this.#options, {
      resource: { group: '', version: 'v1', resource: 'pods' },
      // Those that have ended take nothing any more.
      fieldSelector: 'status.phase!=Succeeded,status.phase!=Failed',
      onSet: (pod, before) => this.#seePod(pod, before),
      onDelete: (pod) => this.#forgetPod(pod),
    });
  }

  #seePod(pod: Pod, before: Pod | undefined): void {
    const info = describePod(pod);
    const { nodeName = '', schedulerName = '' } = pod.spec;
    if (before !== undefined && before.metadata.uid !== info.uid) this.#forgetPod(before);
    if (nodeName !== '') {
      if (this.#assumed.delete(info.key) || !before?.spec.nodeName) this.#cluster.nominate(info, undefined);
      this.#queue.delete(info.key);
      this.#cluster.setPod(info, nodeName);
      this.#queue.wake((waiting) => waiting.near.some((term) => matchesTerm(term, info)));
      return;
    }
    if (this.#assumed.has(info.key) || !this.#names.has(schedulerName) || hasEnded(pod)) return;
    if (pod.metadata.deletionTimestamp) {
      this.#queue.delete(info.key);
      this.#tellRefusal(pod, `skip schedule deleting pod: ${info.key}`);
      return;
    }
    this.#cluster.nominate(info, pod.status?.nominatedNodeName);
    this.#queue.set(info);
  }

  #forgetPod(pod: Pod): void {
    const info = describePod(pod);
    this.#assumed.delete(info.key);
    this.#queue.delete(info.key);
    this.#cluster.nominate(info, undefined);
    this.#cluster.removePod(info.key);
    if (pod.spec.nodeName) this.#queue.wake();
  }

  #seeNode(node: Node, before: Node | undefined): void {
    const isOther = changesPlacement(node, before);
    this.#cluster.setNode(node);
    if (isOther) this.#queue.wake();
  }

  /** What goes wrong with one pod keeps no other waiting. */
  async #tryPatiently(queued: QueuedPod): Promise<void> {
    try {
      await this.#try(queued);
    } catch (error) {
      const { signal, logger } = this.#options;
      // Informers end with the scheduler, and what waits for them.
      if (signal.aborted) return;
      logger.error('pod not placed', { pod: queued.key, error });
      this.#queue.retry(queued);
    }
  }

  async #try(queued: QueuedPod): Promise<void> {
    await this.#objects.needBase();
    if (!this.#objects.hasVolumes && this.#needsVolumes(queued.info)) await this.#objects.needVolumes();
    // Others of this process have their turns between two placements.
    await new Promise(setImmediate);
    while (this.#bindings.size >= maxBindings) await Promise.race(this.#bindings);
    const { info } = queued;
    if (this.#options.signal.aborted || !this.#queue.isTrying(queued)) return;
    const placement = placePod(info, this.#cluster, { random: this.#options.random, cursor: this.#cursor });
    if (placement.kind === 'placed') this.#begin(queued, info, placement);
    else await this.#refuse(queued, info, placement);
  }

  #needsVolumes({ pod }: PodInfo): boolean {
    if (claimsOfPod(pod).length > 0) return true;
    // Their nodes say whether drivers serve such volumes.
    const { migratedKinds } = this.#options;
    return (pod.spec.volumes ?? []).some((volume) => kindOf(volume, migratedKinds) !== undefined);
  }

  /** Counts the pod on its node, and writes that beside the next placements. */
  #begin(queued: QueuedPod, info: PodInfo, { node }: Extract<Placement, { kind: 'placed' }>): void {
    const plans = planFor(info, node, this.#cluster);
    for (const { claim, volume } of plans) {
      const { namespace = '', name = '' } = claim.metadata;
      if (volume !== undefined) this.#objects.promise(volume.metadata.name ?? '', `${namespace}/${name}`);
    }
    this.#cluster.setPod(info, node.name);
    this.#cluster.nominate(info, undefined);
    this.#assumed.set(info.key, node.name);
    const running = plans.length > 0 ? this.#claiming : this.#bindings;
    const binding = this.#bind(queued, info, node.name, plans).finally(() => running.delete(binding));
    running.add(binding);
  }

  async #bind(queued: QueuedPod, info: PodInfo, node: string, plans: readonly ClaimPlan[]): Promise<void> {
    const { client, dialect, clock, signal } = this.#options;
    const claim = this.#objects.claim.bind(this.#objects);
    const isWanted = () => this.#queue.isTrying(queued);
    const context = { client, dialect, clock, signal, claim, isWanted };
    let step = 'running PreBind plugin "VolumeBinding"';
    try {
      if (plans.length > 0) await bindClaims(plans, node, context);
      step = 'binding rejected: running Bind plugin "DefaultBinder"';
      await bindPod(info, node, context);
      this.#queue.deleteTried(queued);
      this.#events.record({
        about: info.pod,
        type: 'Normal',
        reason: 'Scheduled',
        action: 'Binding',
        note: `Successfully assigned ${info.key} to ${node}`,
      });
    } catch (error) {
      if (!signal.aborted) await this.#takeBack(queued, info, { step, error });
    } finally {
      for (const { volume } of plans)
        if (volume !== undefined) this.#objects.release(volume.metadata.name ?? '');
    }
  }

  /** The pod did not get its node: it counts there no more. */
  async #takeBack(
    queued: QueuedPod,
    info: PodInfo,
    { step, error }: { readonly step: string; readonly error: unknown },
  ): Promise<void> {
    if (this.#assumed.delete(info.key)) this.#cluster.removePod(info.key);
    this.#queue.wake();
    if (!this.#queue.isTrying(queued)) return;
    if (isReason(error, 'NotFound')) {
      this.#queue.deleteTried(queued);
      return;
    }
    const message = `${step}: ${errorText(error)}`;
    this.#options.logger.info('pod not bound', { pod: info.key, error });
    await this.#report(queued, info, { reason: 'SchedulerError', message, nominatedNode: undefined });
  }

  async #refuse(
    queued: QueuedPod,
    info: PodInfo,
    placement: Extract<Placement, { kind: 'refused' }>,
  ): Promise<void> {
    const { message } = placement;
    const nominatedNode = await this.#makeRoom(info, placement);
    if (nominatedNode !== undefined) this.#cluster.nominate(info, nominatedNode);
    await this.#report(queued, info, { reason: 'Unschedulable', message, nominatedNode });
  }

  async #report(queued: QueuedPod, info: PodInfo, report: PlacementReport): Promise<void> {
    this.#queue.retry(queued);
    this.#tellRefusal(info.pod, report.message);
    const request = reportRequest(queued.info.pod, report, this.#options.clock);
    if (request !== undefined) await this.#send(request, info);
  }

  #tellRefusal(about: Pod, note: string): void {
    this.#events.record({ about, type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note });
  }

  /** Ends pods of lower priority where that helps; the node where they were. */
  async #makeRoom(
    info: PodInfo,
    { refusals, filters }: Extract<Placement, { kind: 'refused' }>,
  ): Promise<string | undefined> {
    if (refusals.size === 0 || !mayPreempt(info, this.#cluster, refusals)) return undefined;
    if (filters === undefined || nodesToFree(this.#cluster, refusals).length === 0) {
      if (info.pod.status.nominatedNodeName) await this.#send(unnominateRequest(info.pod), info);
      return undefined;
    }
    if (!this.#hasLower(info)) return undefined;
    const budgets = await this.#objects.budgets();
    const plan = planPreemption(info, this.#cluster, { refusals, filters, budgets });
    if (plan === undefined) return undefined;
    for (const victim of plan.victims) {
      if (!(await this.#send(evictRequest(victim.pod), victim))) return undefined;
      this.#events.record({
        about: victim.pod,
        related: info.pod,
        type: 'Normal',
        reason: 'Preempted',
        action: 'Preempting',
        note: `Preempted by ${info.key} on node ${plan.node}`,
      });
    }
    // Whoever waits for room there has to look for another place.
    for (const other of this.#cluster.nominatedOn(plan.node)) {
      if (other.priority >= info.priority) continue;
      this.#cluster.nominate(other, undefined);
      await this.#send(unnominateRequest(other.pod), other);
    }
    return plan.node;
  }

  #hasLower({ priority }: PodInfo): boolean {
    return this.#cluster.nodes().some((node) => {
      for (const pod of node.pods()) if (pod.priority < priority) return true;
      return false;
    });
  }

  /** Whether it was written. What fails is tried again with the pod. */
  async #send(request: Parameters<RestClient['send']>[0], { key }: PodInfo): Promise<boolean> {
    const { client, signal, logger } = this.#options;
    try {
      await client.send({ ...request, signal });
      return true;
    } catch (error) {
      if (!signal.aborted) logger.info('pod not written', { pod: key, method: request.method, error });
      return false;
    }
  }
}
