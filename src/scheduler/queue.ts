import type { Clock } from '../base/index.ts';
import { Heap } from './heap.ts';
import type { PodInfo } from './pod-info.ts';

/** A pod that waits for a node. */
export interface QueuedPod {
  readonly key: string;
  info: PodInfo;
  /** Tries that failed so far. */
  attempts: number;
  /** When it came to where it is now. */
  sinceMs: number;
  /** When its last try began, counted in tries of all pods. */
  cycle: number;
  place: 'active' | 'backoff' | 'unschedulable' | 'trying';
}

/** As in release 1.20 (`scheduling_queue.go`). */
const limits = {
  firstBackoffMs: 1000,
  maxBackoffMs: 10_000,
  /** Nothing that would help may have been noticed. */
  maxUnschedulableMs: 60_000,
};

/**
 * Pods that wait: those to be tried next, by priority and age; those that failed and have to pause; and those for which no
 * node will do until something changes.
 */
export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #onReady: () => void;
  readonly #pods = new Map<string, QueuedPod>();
  readonly #active = new Heap<QueuedPod>(comesFirst);
  /** Those that are not tried before some time. */
  readonly #delayed = new Heap<QueuedPod>((a, b) => dueAt(a) < dueAt(b));
  #cycle = 0;
  #movedInCycle = -1;
  #cancelTimer: (() => void) | undefined;

  /** `onReady` is called when there may be a pod to try. */
  constructor(clock: Clock, onReady: () => void) {
    this.#clock = clock;
    this.#onReady = onReady;
  }

  get size(): number {
    return this.#pods.size;
  }

  /** A new pod, or one that changed. One that is being tried keeps being tried. */
  set(info: PodInfo): void {
    const known = this.#pods.get(info.key);
    if (known === undefined || known.info.uid !== info.uid) {
      if (known !== undefined) this.delete(info.key);
      const pod: QueuedPod = {
        key: info.key,
        info,
        attempts: 0,
        sinceMs: this.#clock.nowMs(),
        cycle: 0,
        place: 'active',
      };
      this.#pods.set(info.key, pod);
      this.#activate(pod);
      return;
    }
    const isOther = known.info.pod.metadata.resourceVersion !== info.pod.metadata.resourceVersion;
    known.info = info;
    // Also when only its status is another, and without a pause, even one that has begun: release 1.20 compares managed fields,
    // which tell of every write, that of its own condition too.
    if (known.place === 'active' || known.place === 'trying' || !isOther) return;
    this.#delayed.remove(known);
    this.#activate(known);
  }

  delete(key: string): void {
    const pod = this.#pods.get(key);
    if (pod === undefined) return;
    this.#pods.delete(key);
    this.#active.remove(pod);
    this.#delayed.remove(pod);
    this.#setTimer();
  }

  /** The pod to try now. It stays known until it is deleted. */
  pop(): QueuedPod | undefined {
    const pod = this.#active.pop();
    if (pod === undefined) return undefined;
    pod.place = 'trying';
    pod.attempts++;
    pod.cycle = ++this.#cycle;
    return pod;
  }

  /** Whether the pod is still wanted since it was popped. */
  isTrying(pod: QueuedPod): boolean {
    return this.#pods.get(pod.key) === pod && pod.place === 'trying';
  }

  /** A try succeeded. */
  deleteTried(pod: QueuedPod): void {
    if (this.isTrying(pod)) this.#pods.delete(pod.key);
  }

  /** A try failed. If something has changed since it began, it is repeated after a pause, otherwise when something changes. */
  retry(pod: QueuedPod): void {
    if (!this.isTrying(pod)) return;
    pod.sinceMs = this.#clock.nowMs();
    this.#delay(pod, this.#movedInCycle >= pod.cycle ? 'backoff' : 'unschedulable');
  }

  /** Something changed that may help those for which no node would do, or those of them that `concerns` names. */
  wake(concerns: (info: PodInfo) => boolean = () => true): void {
    this.#movedInCycle = this.#cycle;
    for (const pod of this.#pods.values()) {
      if (pod.place === 'unschedulable' && concerns(pod.info)) this.#move(pod);
    }
  }

  /** Ends the waiting. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#pods.clear();
  }

  #move(pod: QueuedPod): void {
    this.#delayed.remove(pod);
    if (backoffEnd(pod) > this.#clock.nowMs()) this.#delay(pod, 'backoff');
    else this.#activate(pod);
  }

  #delay(pod: QueuedPod, place: 'backoff' | 'unschedulable'): void {
    pod.place = place;
    this.#delayed.push(pod);
    if (this.#delayed.first === pod) this.#setTimer();
  }

  #activate(pod: QueuedPod): void {
    pod.place = 'active';
    this.#active.push(pod);
    this.#onReady();
  }

  /** One timer for the pod that is due first; none when nobody waits. */
  #setTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { first } = this.#delayed;
    if (first === undefined) return;
    const delayMs = Math.max(0, dueAt(first) - this.#clock.nowMs());
    this.#cancelTimer = this.#clock.setTimer(delayMs, () => this.#flush());
  }

  #flush(): void {
    const nowMs = this.#clock.nowMs();
    for (let pod = this.#delayed.first; pod !== undefined && dueAt(pod) <= nowMs; pod = this.#delayed.first) {
      this.#delayed.remove(pod);
      this.#activate(pod);
    }
    this.#setTimer();
  }
}

function comesFirst(a: QueuedPod, b: QueuedPod): boolean {
  return a.info.priority === b.info.priority ? a.sinceMs < b.sinceMs : a.info.priority > b.info.priority;
}

function dueAt(pod: QueuedPod): number {
  return pod.place === 'backoff' ? backoffEnd(pod) : pod.sinceMs + limits.maxUnschedulableMs;
}

const backoffEnd = ({ sinceMs, attempts }: QueuedPod): number =>
  sinceMs + Math.min(limits.maxBackoffMs, limits.firstBackoffMs * 2 ** Math.max(0, attempts - 1));
