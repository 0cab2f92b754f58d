import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { createWorkQueue, type WorkQueue } from '../../client/index.ts';
import { podKey } from '../sources/pod-key.ts';
import { isReason, nameOf, type PodRequests } from './pod-requests.ts';
import { statusPatch } from './status-patch.ts';

/** How the status of a pod is written to the API server, until `signal` aborts. */
export interface StatusWriterOptions {
  readonly requests: PodRequests;
  /** The object of the server that has the pod's status: the pod itself or its mirror; undefined while there is none. */
  readonly findObject: (pod: Pod) => Pod | undefined;
  /** Static pods are not the server's to delete. */
  readonly isStatic: (pod: Pod) => boolean;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly random: () => number;
}

/** What shall become of a pod on the server. */
interface Entry {
  readonly pod: Pod;
  readonly status: PodStatus | undefined;
  readonly isFinished: boolean;
  /** The object as the server answered to the last patch. */
  written: WrittenObject | undefined;
  /** The server has this pod no more, and it never comes back. Not said of mirrors, which do. */
  isGone: boolean;
}

interface WrittenObject {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly isBeingDeleted: boolean;
  readonly status: PodStatus;
  /** The patch: one that would be sent again says what the server does not keep. */
  readonly patch: string;
}

const firstRetryMs = 500;
/** As often as release 1.20's status manager goes through what is not written. */
const maxRetryMs = 10_000;
/** Pods that are written to at a time; the client limits requests. */
const concurrency = 4;

/** Writes statuses of pods, and removes pods that have ended, by uid of the agent's pod. */
export class StatusWriter {
  readonly #options: StatusWriterOptions;
  readonly #queue: WorkQueue<string>;
  readonly #entries = new Map<string, Entry>();

  constructor(options: StatusWriterOptions) {
    const { signal, clock, random, logger } = options;
    this.#options = options;
    this.#queue = createWorkQueue({
      work: (uid) => this.#write(uid),
      signal,
      clock,
      random,
      firstRetryMs,
      maxRetryMs,
      concurrency,
      onError: (error, uid, failures) => {
        const pod = this.#entries.get(uid)?.pod;
        const level = failures === 1 ? 'error' : 'debug';
        const fields = { pod: pod && podKey(pod), uid, failures, error: String(error) };
        logger[level]('pod status update failed', fields);
      },
    });
  }

  setStatus(pod: Pod, status: PodStatus): void {
    this.#put(pod, { status });
  }

  finish(pod: Pod): void {
    this.#put(pod, { isFinished: true });
  }

  forget(uid: string): void {
    this.#entries.delete(uid);
  }

  /** Looks at a pod again, whose object has changed. */
  touch(uid: string): void {
    if (this.#entries.has(uid)) this.#queue.add(uid);
  }

  whenIdle(): Promise<void> {
    return this.#queue.whenIdle();
  }

  /** Resolves when the signal has aborted and work in progress has ended. */
  get done(): Promise<void> {
    return this.#queue.done;
  }

  #put(pod: Pod, news: { readonly status?: PodStatus; readonly isFinished?: boolean }): void {
    const uid = pod.metadata.uid ?? '';
    const before = this.#entries.get(uid);
    this.#entries.set(uid, {
      pod,
      status: news.status ?? before?.status,
      isFinished: news.isFinished ?? before?.isFinished ?? false,
      written: before?.written,
      isGone: before?.isGone ?? false,
    });
    this.#queue.add(uid);
  }

  async #write(uid: string): Promise<void> {
    const entry = this.#entries.get(uid);
    if (entry === undefined || entry.isGone) return;
    const object = this.#options.findObject(entry.pod);
    if (object === undefined) return; // its owner says when there is one
    if ((await this.#patch(uid, entry, object)) === 'done') await this.#end(uid);
    else if (!this.#options.isStatic(entry.pod)) this.#setGone(uid);
  }

  #setGone(uid: string): void {
    const entry = this.#entries.get(uid);
    if (entry !== undefined) entry.isGone = true;
  }

  /** Brings the status of the object up to date, with one request at most unless something is strange. */
  async #patch(uid: string, entry: Entry, object: Pod): Promise<'done' | 'gone'> {
    const { requests } = this.#options;
    const objectUid = object.metadata.uid ?? '';
    const { status, written } = entry;
    if (status === undefined) return 'done';
    const known = written !== undefined && isNewer(written, object) ? written : undefined;
    const patch = statusPatch(objectUid, known?.status ?? object.status, status);
    const text = JSON.stringify(patch);
    if (patch === undefined || known?.patch === text) return 'done';
    try {
      const answer = await requests.patchStatus(nameOf(object), patch);
      const now = this.#entries.get(uid);
      if (now !== undefined) now.written = toWritten(answer, text);
      return 'done';
    } catch (error) {
      if (isReason(error, 'NotFound')) return 'gone';
      // The server calls a uid that is another one now a conflict or an invalid change, among other reasons for these.
      if (isReason(error, 'Conflict') || isReason(error, 'Invalid')) {
        const found = await requests.get(nameOf(object));
        if (found?.metadata.uid !== objectUid) return 'gone';
      }
      // A status that the server never takes must not keep a pod from going away.
      if (isReason(error, 'Invalid') && entry.isFinished) return 'done';
      throw error;
    }
  }

  /** Removes a pod that has ended and is being deleted. */
  async #end(uid: string): Promise<void> {
    const entry = this.#entries.get(uid);
    const { requests, isStatic } = this.#options;
    if (entry === undefined || !entry.isFinished || isStatic(entry.pod)) return;
    const { pod, written } = entry;
    const isBeingDeleted = pod.metadata.deletionTimestamp || written?.isBeingDeleted;
    if (!isBeingDeleted) return;
    await requests.remove(nameOf(pod), uid);
    this.#setGone(uid);
  }
}

function toWritten({ metadata, status }: Pod, patch: string): WrittenObject {
  const { uid = '', resourceVersion = '', deletionTimestamp } = metadata;
  return { uid, resourceVersion, isBeingDeleted: Boolean(deletionTimestamp), status, patch };
}

/**
 * Whether our own write came after the state that was seen. Versions are numbers that grow with every write on each
 * server of this API; where they are not, what was seen counts.
 */
function isNewer({ uid, resourceVersion }: WrittenObject, { metadata }: Pod): boolean {
  if (uid !== metadata.uid) return false;
  const seen = metadata.resourceVersion ?? '';
  if (!/^\d+$/.test(resourceVersion) || !/^\d+$/.test(seen)) return false;
  return BigInt(resourceVersion) >= BigInt(seen);
}
