import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { createWorkQueue, type WorkQueue } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { OwnerReference } from '../../machinery/meta/index.ts';
import { mirrorHashOf, podAnnotationNames } from '../sources/pod-annotations.ts';
import { podKey } from '../sources/pod-key.ts';
import { nameOf, type PodRequests } from './pod-requests.ts';

/** The node whose static pods get mirror pods, and the requests that create and delete these. */
export interface MirrorPodsOptions {
  readonly requests: PodRequests;
  readonly nodeName: string;
  readonly nodeUid: () => string | undefined;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Told of each static pod that has another mirror now. */
  readonly onMirror: (pod: Pod) => void;
}

/** How long a mirror that was made is believed in although it is not seen. */
const unseenMs = 10_000;
const firstRetryMs = 500;
const maxRetryMs = 30_000;

/** There is no node that could own a mirror, yet. */
class NoNodeError extends Error {
  override readonly name = 'NoNodeError';
}

/**
 * Keeps one mirror pod for each static pod: makes those that are missing, removes those that are being deleted, show
 * another content or show nothing. Does nothing before it was told of both kinds.
 */
export class MirrorPods {
  readonly #options: MirrorPodsOptions;
  readonly #queue: WorkQueue<string>;
  /** By namespace and name, like all below; undefined until told. */
  #static: ReadonlyMap<string, Pod> | undefined;
  #mirrors: ReadonlyMap<string, Pod> | undefined;
  /** Mirrors that were made and are not seen yet. */
  readonly #made = new Map<string, { readonly pod: Pod; readonly untilMs: number }>();
  /** Uids that were seen while a mirror is being made, by name: what is made may be seen before the answer comes. */
  readonly #seenWhileMaking = new Map<string, Set<string>>();
  /** Uids of mirrors that were removed and are still seen. */
  readonly #removed = new Set<string>();
  /** Uids of mirrors whose static pod changed and kept its hash, since its manifest gives it a uid. */
  readonly #outdated = new Set<string>();

  constructor(options: MirrorPodsOptions) {
    const { signal, clock, random } = options;
    this.#options = options;
    this.#queue = createWorkQueue({
      work: (key) => this.#reconcile(key),
      signal,
      clock,
      random,
      firstRetryMs,
      maxRetryMs,
      onError: (error, key, failures) => this.#logFailure(error, key, failures),
    });
  }

  setStatic(pods: readonly Pod[]): void {
    const before = this.#static;
    this.#static = new Map(pods.map((pod) => [podKey(pod), pod]));
    for (const [key, pod] of this.#static) {
      const old = before?.get(key);
      if (old !== undefined && old !== pod && !isSameContent(old, pod)) this.#setOutdated(key);
    }
    this.#check();
  }

  setMirrors(pods: readonly Pod[]): void {
    this.#mirrors = new Map(pods.map((pod) => [podKey(pod), pod]));
    const seen = new Set(pods.map(({ metadata }) => metadata.uid));
    for (const uids of [this.#removed, this.#outdated]) {
      for (const uid of uids) if (!seen.has(uid)) uids.delete(uid);
    }
    for (const [key, { pod }] of this.#made) {
      if (this.#mirrors.get(key)?.metadata.uid === pod.metadata.uid) this.#made.delete(key);
    }
    for (const [key, uids] of this.#seenWhileMaking) uids.add(this.#mirrors.get(key)?.metadata.uid ?? '');
    this.#check();
  }

  /** The object that shows this static pod now; undefined while there is none. */
  find(pod: Pod): Pod | undefined {
    const mirror = this.#known(podKey(pod));
    return mirror !== undefined && this.#shows(mirror, pod) ? mirror : undefined;
  }

  whenIdle(): Promise<void> {
    return this.#queue.whenIdle();
  }

  /** Resolves when the signal has aborted and work in progress has ended. */
  get done(): Promise<void> {
    return this.#queue.done;
  }

  #setOutdated(key: string): void {
    const uid = this.#known(key)?.metadata.uid;
    if (uid !== undefined) this.#outdated.add(uid);
  }

  #check(): void {
    if (this.#static === undefined || this.#mirrors === undefined) return;
    for (const key of new Set([...this.#static.keys(), ...this.#mirrors.keys()])) {
      const pod = this.#static.get(key);
      const mirror = this.#known(key);
      const isRight = mirror === undefined || pod === undefined ? mirror === pod : this.#shows(mirror, pod);
      if (!isRight) this.#queue.add(key);
      else if (pod !== undefined) this.#options.onMirror(pod);
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { requests, logger } = this.#options;
    const mirror = this.#known(key);
    const pod = this.#static?.get(key);
    if (mirror !== undefined && (pod === undefined || !this.#shows(mirror, pod))) {
      const uid = mirror.metadata.uid ?? '';
      logger.info('mirror pod deletion started', { pod: key, uid });
      await requests.remove(nameOf(mirror), uid);
      this.#removed.add(uid);
      if (this.#made.get(key)?.pod.metadata.uid === uid) this.#made.delete(key);
    }
    // Read again: the desired mirror may have changed meanwhile.
    const desired = this.#static?.get(key);
    if (desired !== undefined && this.#known(key) === undefined) await this.#create(key, desired);
  }

  async #create(key: string, pod: Pod): Promise<void> {
    const { requests, clock, logger } = this.#options;
    const mirror = this.#mirrorOf(pod);
    logger.info('mirror pod creation started', { pod: key });
    const seen = new Set<string>();
    this.#seenWhileMaking.set(key, seen);
    try {
      const made = await requests.create(mirror);
      const desired = this.#static?.get(key);
      if (desired !== undefined && !isSameContent(desired, pod)) this.#outdated.add(made.metadata.uid ?? '');
      if (seen.has(made.metadata.uid ?? '')) return; // and perhaps it is gone again
      this.#made.set(key, { pod: made, untilMs: clock.nowMs() + unseenMs });
    } finally {
      this.#seenWhileMaking.delete(key);
    }
    this.#queue.addAfter(key, unseenMs + 1);
    this.#options.onMirror(pod);
  }

  /** The object that shows a static pod. @throws NoNodeError while nothing can own it. */
  #mirrorOf(pod: Pod): Pod {
    const { nodeName, nodeUid, dialect } = this.#options;
    const uid = nodeUid();
    if (uid === undefined) throw new NoNodeError('mirror pods wait for the object of the node');
    const { name, namespace, labels, annotations } = pod.metadata;
    const names = podAnnotationNames(dialect);
    const owner: OwnerReference = { apiVersion: 'v1', kind: 'Node', name: nodeName, uid, controller: true };
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name,
        namespace,
        labels,
        annotations: { ...annotations, [names.mirror]: annotations?.[names.hash] ?? '' },
        ownerReferences: [owner],
      },
      spec: pod.spec,
      status: {},
    };
  }

  /** What the server has under this name, as far as is known; our own last request counts before what is seen. */
  #known(key: string): Pod | undefined {
    const seen = this.#mirrors?.get(key);
    if (seen !== undefined && !this.#removed.has(seen.metadata.uid ?? '')) return seen;
    const made = this.#made.get(key);
    if (made === undefined || this.#options.clock.nowMs() < made.untilMs) return made?.pod;
    this.#made.delete(key);
    return undefined;
  }

  #shows(mirror: Pod, pod: Pod): boolean {
    const { dialect } = this.#options;
    const hash = pod.metadata.annotations?.[podAnnotationNames(dialect).hash];
    const { uid = '', deletionTimestamp } = mirror.metadata;
    return !deletionTimestamp && !this.#outdated.has(uid) && mirrorHashOf(mirror, dialect) === hash;
  }

  #logFailure(error: unknown, key: string, failures: number): void {
    const { logger } = this.#options;
    const level = error instanceof NoNodeError || failures > 1 ? 'debug' : 'error';
    logger[level]('mirror pod sync failed', { pod: key, failures, error: String(error) });
  }
}

function isSameContent(a: Pod, b: Pod): boolean {
  const text = ({ metadata: { labels }, spec }: Pod): string => JSON.stringify([labels, spec]);
  return text(a) === text(b);
}
