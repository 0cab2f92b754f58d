import type { Node, NodeStatus } from '../../apis/types/core-v1.ts';
import { pause } from '../../base/index.ts';
import type { Informer } from '../../client/informer/index.ts';
import { nodeResources } from './capacity.ts';
import { nodeConditions } from './conditions.ts';
import { AddressFinder, statusAddresses } from './find-addresses.ts';
import { followNode } from './follow-node.ts';
import { ImageList } from './image-list.ts';
import { existingNodePatch, initialNode } from './initial-node.ts';
import { createNodeClient, type NodeClient } from './node-client.ts';
import { NodeEvents } from './node-events.ts';
import type { NodeKeeper, NodeKeeperOptions, NodePressure } from './node-keeper.ts';
import { keepNodeLease } from './node-lease.ts';
import type { NodeRecord } from './node-record.ts';
import { nodeStatus, statusPatch } from './node-status.ts';
import { PodCidr } from './pod-cidr.ts';
import { registerNode } from './register-node.ts';
import type { RuntimeHealth } from './runtime-health.ts';
import { storageSize } from './storage-size.ts';

/** How often the runtime is asked whether it is ready, as in release 1.20. */
const healthIntervalMs = 5000;
/** Limit of the wait for the first list of nodes; then status is written without it. */
const syncLimitMs = 2000;
/** Limit of the wait for `whenSettled`; what has not been looked at by then keeps the node from being ready. */
const settleLimitMs = 5000;

/** Registers the node and keeps its status and lease from its start until it is disposed of. */
export function createNodeKeeper(options: NodeKeeperOptions): NodeKeeper {
  return new Keeper(options);
}

class Keeper implements NodeKeeper {
  readonly whenRegistered: Promise<void>;
  readonly #options: NodeKeeperOptions;
  readonly #stop = new AbortController();
  readonly #record: NodeRecord;
  readonly #health: RuntimeHealth;
  readonly #finder: AddressFinder;
  readonly #images: ImageList;
  readonly #podCidr: PodCidr;
  readonly #events: NodeEvents;
  readonly #nodes: NodeClient | undefined;
  readonly #loops: Promise<unknown>[] = [];
  readonly #registered = Promise.withResolvers<void>();
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #updating: Promise<void> = Promise.resolve();

  constructor(options: NodeKeeperOptions) {
    const { client, config, nodeName, runtime, clock, logger, events, dialect } = options;
    this.#options = options;
    this.#record = options.record;
    this.#health = options.health;
    this.#finder = new AddressFinder({ nodeIps: config.nodeIps, hostname: nodeName, clock, logger });
    this.#images = new ImageList({
      images: options.images,
      limit: config.nodeStatusMaxImages,
      clock,
      logger,
    });
    this.#podCidr = new PodCidr(runtime, logger);
    this.#events = new NodeEvents({ events, nodeName, dialect });
    this.#nodes = client && createNodeClient(client, nodeName, this.#stop.signal);
    this.whenRegistered = this.#registered.promise;
  }

  async start(): Promise<void> {
    this.#events.starting();
    // As in release 1.20, a node begins without pressure; what is measured then is a change that events tell of.
    await this.#observe({ memory: false, disk: false, pid: false });
    this.#events.schedulable(this.#initial());
    this.#updating = this.#whenSettled();
    this.#loops.push(this.#run());
  }

  async #whenSettled(): Promise<void> {
    const { clock, whenSettled } = this.#options;
    if (this.#nodes === undefined) return;
    const over = new AbortController();
    const limit = pause(clock, settleLimitMs, AbortSignal.any([over.signal, this.#stop.signal]));
    await Promise.race([whenSettled, limit]);
    over.abort();
  }

  /** Updates run one at a time; a call during an update causes one more after it. */
  update(): Promise<void> {
    const next = this.#updating.then(() => this.#updateNow());
    this.#updating = next.catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#options.logger.error('node status update failed', { error });
    });
    return this.#updating;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#registered.resolve();
    // Loops may start further loops; this ends when none is left.
    while (this.#loops.length > 0) await Promise.all(this.#loops.splice(0));
    await this.#updating;
  }

  async #run(): Promise<void> {
    const { clock, config } = this.#options;
    const { signal } = this.#stop;
    // Not awaited: a runtime that hangs must not delay the start.
    const health = this.#watchHealth();
    this.#loops.push(health);
    await this.#register();
    while (!signal.aborted) {
      await this.update();
      await pause(clock, config.nodeStatusUpdateFrequencyMs, signal);
    }
  }

  async #watchHealth(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const before = this.#health.problems().join();
      await Promise.race([this.#health.check(), pause(clock, healthIntervalMs, signal)]);
      if (signal.aborted) return;
      // A change of readiness is reported at once when the node is registered.
      if (this.#health.problems().join() !== before && this.#isSettled()) void this.update();
      await pause(clock, healthIntervalMs, signal);
    }
  }

  #isSettled(): boolean {
    return this.#nodes === undefined || this.#record.node !== undefined;
  }

  async #register(): Promise<void> {
    const { client, config, clock, logger, dialect, nodeName } = this.#options;
    const { signal } = this.#stop;
    if (this.#nodes === undefined || client === undefined) {
      this.#podCidr.wish(config.podCidr);
      this.#registered.resolve();
      return;
    }
    if (config.registerNode) {
      const initial = (): Node => this.#initial();
      const made = await registerNode({ nodes: this.#nodes, initial, clock, logger, signal });
      if (made !== undefined) this.#take(made.node);
      if (made?.hasExisted) await this.#reconcile(made.node);
    }
    const informer = this.#follow();
    this.#loops.push(
      informer.done,
      keepNodeLease({
        client,
        nodeName,
        nodeUid: () => this.#record.node?.metadata.uid,
        durationSeconds: config.nodeLeaseDurationSeconds,
        onRecovered: () => void this.#report(),
        dialect,
        clock,
        logger,
        signal,
      }),
    );
    // Waited for, as the first list may show an older state than the answers to later updates.
    await Promise.race([informer.whenSynced.catch(() => {}), pause(clock, syncLimitMs, signal)]);
  }

  #follow(): Informer {
    const { client, nodeName, clock, logger } = this.#options;
    if (client === undefined) throw new TypeError('there is no server to follow the node at');
    return followNode({
      client,
      nodeName,
      clock,
      logger,
      signal: this.#stop.signal,
      onNode: (node) => this.#take(node),
      onDelete: () => {
        this.#record.node = undefined;
      },
    });
  }

  /** The server was away: what it shows of the node is read and set right at once. Never rejects. */
  async #report(): Promise<void> {
    try {
      const node = await this.#nodes?.get();
      if (node !== undefined) this.#take(node);
    } catch (error) {
      this.#options.logger.debug('node not readable after an outage', { error });
    }
    await this.update();
  }

  #take(node: Node): void {
    this.#record.node = node;
    this.#registered.resolve();
    this.#events.schedulable(node);
    this.#podCidr.wish((node.spec.podCIDRs ?? []).join(',') || (node.spec.podCIDR ?? ''));
  }

  async #reconcile(existing: Node): Promise<void> {
    const { dialect, keepsExtended } = this.#options;
    const patch = existingNodePatch(this.#initial(), existing, { dialect, keepsExtended });
    if (patch === undefined) return;
    try {
      const patched = await this.#nodes?.patchStatus(patch);
      if (patched !== undefined) this.#take(patched);
    } catch (error) {
      this.#options.logger.error('node reconciliation failed', { error });
    }
  }

  async #updateNow(): Promise<void> {
    await this.#observe(this.#options.pressure());
    void this.#podCidr.apply(); // a runtime that hangs holds nothing up
    const node = this.#record.node;
    if (this.#nodes === undefined || node === undefined || this.#stop.signal.aborted) return;
    this.#events.rebooted(node, this.#options.machine.bootId);
    const { config, clock } = this.#options;
    const { patch, hasChanged } = statusPatch(node.status, this.#status());
    const isDue = clock.nowMs() - this.#reportedAtMs >= config.nodeStatusReportFrequencyMs;
    if (!hasChanged && !isDue) return;
    const patched = await this.#nodes.patchStatus({ status: patch });
    if (patched === undefined) return;
    this.#reportedAtMs = clock.nowMs();
    this.#take(patched);
  }

  /** Computes the whole status from the node's last known status and fresh observations. */
  async #observe(pressure: NodePressure): Promise<void> {
    const { config, machine, problems, lastProblems, devices, clock, dialect } = this.#options;
    const [addresses, storageBytes] = await Promise.all([
      this.#finder.find(),
      storageSize(config.rootDir),
      this.#images.refresh(),
    ]);
    const shown = this.#record.node?.status;
    this.#record.addresses = statusAddresses(config, { shown: shown?.addresses, found: addresses });
    this.#record.resources = nodeResources({
      machine,
      config,
      storageBytes,
      shown: shown?.capacity,
      devices: devices(),
    });
    const { conditions, changes } = nodeConditions({
      shown: shown?.conditions ?? this.#record.conditions,
      pressure,
      problems: [...this.#health.problems(problems()), ...lastProblems()],
      hasAppArmor: machine.hasAppArmor && config.features.AppArmor,
      nowMs: clock.nowMs(),
      dialect,
    });
    this.#record.conditions = conditions;
    this.#events.changed(changes);
  }

  #initial(): Node {
    const { config, nodeName, machine, dialect } = this.#options;
    const { architecture } = machine;
    return initialNode({ config, nodeName, architecture, dialect }, this.#status());
  }

  #status(): NodeStatus {
    const { machine, release, port, dialect, volumesInUse, nodeConfig } = this.#options;
    return nodeStatus({
      resources: this.#record.resources,
      conditions: this.#record.conditions,
      addresses: this.#record.addresses,
      images: this.#images.shown,
      volumesInUse: volumesInUse(),
      config: nodeConfig(),
      machine,
      release,
      runtimeVersion: this.#health.version,
      port,
      dialect,
    });
  }
}
