import type { Pod } from '../../apis/types/core-v1.ts';
import { errorText, pause } from '../../base/index.ts';
import type { ControllerContext } from '../controller.ts';
import { type ControllerEvents, createControllerEvents } from '../controller-events.ts';
import { attachmentNameOf, readKey } from './attachable-volume.ts';
import { readAttached } from './attached-volumes.ts';
import { Attachments } from './attachments.ts';
import {
  type AttachedVolume,
  decideDetaching,
  multiAttachMessage,
  nodesInTheWay,
  operationKey,
} from './decide.ts';
import { NodeReports } from './node-reports.ts';
import { Operations } from './operations.ts';
import {
  type KnownVolumes,
  placeKey,
  type WantedSources,
  type WantedVolume,
  wantedVolumes,
} from './wanted-volumes.ts';

/** Pauses between looks: after changes, while something is waited for, and otherwise. Source: release 1.20, 100 ms and a minute. */
const pausesMs = { afterChange: 100, whileWaiting: 500, otherwise: 60_000 };

/** Compares what is attached with what pods need, again and again, and begins what brings them together. */
export class AttachDetachLoop {
  readonly #context: ControllerContext;
  readonly #sources: WantedSources;
  readonly #events: ControllerEvents;
  readonly #attachments: Attachments;
  readonly #reports: NodeReports;
  readonly #operations: Operations;
  #attached = new Map<string, AttachedVolume>();
  #wanted: ReadonlyMap<string, WantedVolume> = new Map();
  #known: KnownVolumes = new Map();
  /** Places that wait for another node, whose pods were told. */
  readonly #told = new Set<string>();
  /** Nodes that something was attached to. */
  readonly #nodes = new Set<string>();
  /** Some node could not be told what is attached to it. */
  #isBehind = false;
  #checkedMs: number;
  #change = Promise.withResolvers<void>();

  constructor(context: ControllerContext, sources: WantedSources) {
    this.#context = context;
    this.#sources = sources;
    this.#events = createControllerEvents(context, 'attachdetach-controller');
    this.#attachments = new Attachments(context);
    this.#reports = new NodeReports(context);
    this.#operations = new Operations(context.clock);
    this.#checkedMs = context.clock.nowMs();
  }

  /** Something may have changed. */
  wake(): void {
    this.#change.resolve();
  }

  /** Works until the signal aborts. */
  async run(): Promise<void> {
    const { informers, signal, logger } = this.#context;
    const followed = [
      informers.pods(),
      informers.nodes(),
      informers.persistentVolumeClaims(),
      informers.persistentVolumes(),
      informers.csiDrivers(),
      informers.csiNodes(),
      informers.volumeAttachments(),
    ];
    signal.addEventListener('abort', () => this.wake(), { once: true });
    await Promise.all(followed.map(({ whenSynced }) => whenSynced));
    const { volumeAttachments, nodes } = informers;
    this.#attached = readAttached(nodes().list(), volumeAttachments().list(), this.#sources);
    while (!signal.aborted) {
      this.#change = Promise.withResolvers();
      try {
        await this.#look();
      } catch (error) {
        if (!signal.aborted) logger.error('look failed', { error });
      }
      await this.#rest();
    }
    await this.#operations.ended();
  }

  async #rest(): Promise<void> {
    const { clock, signal } = this.#context;
    const isSettled =
      !this.#isBehind &&
      this.#wanted.size === this.#attached.size &&
      [...this.#wanted.keys()].every((place) => this.#attached.get(place)?.isConfirmed);
    const later = isSettled ? pausesMs.otherwise : pausesMs.whileWaiting;
    const cancel = clock.setTimer(later, () => this.wake());
    await this.#change.promise;
    cancel();
    await pause(clock, pausesMs.afterChange, signal);
  }

  /** Detaches before it attaches, so that volumes whose pods moved come free first. */
  async #look(): Promise<void> {
    const { informers } = this.#context;
    const { wanted, known } = wantedVolumes(informers.pods().list(), this.#known, this.#sources);
    this.#wanted = wanted;
    this.#known = known;
    for (const place of this.#told) if (!wanted.has(place)) this.#told.delete(place);
    this.#readNodes();
    this.#checkAttachments();
    await this.#detachUnneeded();
    this.#attachWanted();
    this.#isBehind = (await this.#report(this.#nodes)).size > 0;
  }

  #readNodes(): void {
    for (const name of this.#nodes) if (this.#sources.node(name) === undefined) this.#nodes.delete(name);
    for (const [place, volume] of this.#attached) {
      this.#nodes.add(volume.node);
      const wanted = this.#wanted.get(place);
      if (wanted !== undefined) volume.isShared = wanted.volume.isShared;
      // A node that is gone is believed what it said last.
      const node = this.#sources.node(volume.node);
      if (node !== undefined) volume.isMounted = node.status.volumesInUse?.includes(volume.key) === true;
    }
  }

  /** What drivers have lost counts as detached. Once a minute: objects are seen later than they are written. */
  #checkAttachments(): void {
    const nowMs = this.#context.clock.nowMs();
    if (nowMs - this.#checkedMs < pausesMs.otherwise) return;
    this.#checkedMs = nowMs;
    const attachments = this.#context.informers.volumeAttachments();
    for (const [place, { key, node, isShared, isConfirmed }] of this.#attached) {
      const read = readKey(key, this.#context.dialect);
      if (!isConfirmed || read === undefined || !this.#wanted.has(place)) continue;
      if (this.#operations.isPending(operationKey(key, node, isShared))) continue;
      const attachment = attachments.get('', attachmentNameOf({ ...read, node }));
      if (attachment?.status.attached !== true) this.#attached.delete(place);
    }
  }

  async #detachUnneeded(): Promise<void> {
    const nowMs = this.#context.clock.nowMs();
    const ready: [AttachedVolume, isForced: boolean][] = [];
    for (const [place, volume] of this.#attached) {
      if (this.#wanted.has(place)) continue;
      if (this.#operations.isPending(operationKey(volume.key, volume.node, volume.isShared))) continue;
      volume.unneededSinceMs ??= nowMs;
      const next = decideDetaching(volume, nowMs);
      if (next === 'wait') continue;
      volume.isReported = false;
      ready.push([volume, next === 'force']);
    }
    if (ready.length === 0) return;
    const failed = await this.#report(new Set(ready.map(([{ node }]) => node)));
    for (const [volume, isForced] of ready) if (!failed.has(volume.node)) this.#detach(volume, isForced);
  }

  #detach(volume: AttachedVolume, isForced: boolean): void {
    const { key, node, isShared } = volume;
    const { logger, signal } = this.#context;
    this.#operations.start(operationKey(key, node, isShared), async () => {
      try {
        await this.#attachments.detach(volume, isForced);
        this.#attached.delete(placeKey(key, node));
        logger.info('volume detached', { volume: key, node, isForced });
      } catch (error) {
        if (!signal.aborted) logger.info('volume not detached', { volume: key, node, error });
        throw error;
      } finally {
        this.wake();
      }
    });
  }

  #attachWanted(): void {
    for (const [place, wanted] of this.#wanted) {
      const { volume, node } = wanted;
      const attached = this.#attached.get(place);
      const operation = operationKey(volume.key, node, volume.isShared);
      if (attached?.isConfirmed) {
        attached.unneededSinceMs = undefined;
        if (!this.#operations.isPending(operation)) attached.isReported = true;
        continue;
      }
      if (this.#operations.isPending(operation)) continue;
      const inTheWay = nodesInTheWay(wanted, this.#attached.values());
      if (inTheWay.length === 0) this.#attach(wanted, operation);
      else if (!this.#told.has(place)) {
        this.#told.add(place);
        const users = inTheWay.flatMap((other) => this.#wanted.get(placeKey(volume.key, other))?.pods ?? []);
        const message = (pod: Pod): string => multiAttachMessage(volume.name, pod, users);
        this.#tell(wanted.pods, 'Warning', 'FailedAttachVolume', message);
      }
    }
  }

  #attach({ volume, node, pods }: WantedVolume, operation: string): void {
    const { key, name, isShared } = volume;
    const tried = { key, node, isShared, isConfirmed: false, isReported: false, isMounted: true };
    this.#operations.start(operation, async () => {
      try {
        await this.#attachments.attach(volume, node);
        this.#attached.set(placeKey(key, node), { ...tried, isConfirmed: true, isReported: true });
        this.#tell(
          pods,
          'Normal',
          'SuccessfulAttachVolume',
          () => `AttachVolume.Attach succeeded for volume "${name}" `,
        );
      } catch (error) {
        if (this.#context.signal.aborted) throw error;
        this.#attached.set(placeKey(key, node), tried);
        const message = `AttachVolume.Attach failed for volume "${name}" : ${errorText(error)}`;
        this.#tell(pods, 'Warning', 'FailedAttachVolume', () => message);
        throw error;
      } finally {
        this.wake();
      }
    });
  }

  #report(nodes: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    return this.#reports.write(nodes, this.#attached.values());
  }

  #tell(
    pods: readonly Pod[],
    type: 'Normal' | 'Warning',
    reason: string,
    messageFor: (pod: Pod) => string,
  ): void {
    for (const pod of pods) {
      const { namespace = '', name = '', uid = '', resourceVersion } = pod.metadata;
      const about = { apiVersion: 'v1', kind: 'Pod', namespace, name, uid, resourceVersion };
      this.#events.record(about, type, reason, messageFor(pod));
    }
  }
}
