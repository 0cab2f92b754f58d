import type { Pod } from '../../apis/types/core-v1.ts';
import type { Logger } from '../../base/index.ts';
import { formatPodName } from '../container-config/index.ts';
import type { EventRecorder } from '../events/index.ts';
import { keepFirstSeen } from './first-seen.ts';
import { podKey } from './pod-key.ts';
import type { PodSourceName, PodsHandler } from './pod-source.ts';

/** What a set of pods is kept by. */
export interface PodSetOptions {
  readonly source: PodSourceName;
  /** Annotation with the time at which the agent first saw a pod. */
  readonly seenAnnotation: string;
  readonly onPods: PodsHandler;
  readonly events: EventRecorder;
  readonly logger: Logger;
}

/** The pods that a source handed over last: hands over a set once, and keeps pods that did not change as they are. */
export class PodSet {
  readonly #options: PodSetOptions;
  /** By uid; undefined until the source was read. */
  #pods: ReadonlyMap<string, Pod> | undefined;
  /** Texts of `#pods`, to tell changes. */
  #texts: ReadonlyMap<string, string> = new Map();
  /** Pods that were left out last, so that each is logged once. */
  #leftOut: ReadonlySet<string> = new Set();

  constructor(options: PodSetOptions) {
    this.#options = options;
  }

  get pods(): readonly Pod[] {
    return [...(this.#pods?.values() ?? [])];
  }

  /** Takes what the source has now. Of pods with the same uid, or the same name and namespace, the first one counts. */
  replace(found: readonly Pod[]): void {
    const before = this.#pods;
    const pods = new Map<string, Pod>();
    const texts = new Map<string, string>();
    for (const pod of this.#distinct(found)) {
      const uid = pod.metadata.uid ?? '';
      const old = before?.get(uid);
      const next = old === undefined ? pod : keepFirstSeen(pod, old, this.#options.seenAnnotation);
      const text = JSON.stringify(next);
      texts.set(uid, text);
      pods.set(uid, old !== undefined && this.#texts.get(uid) === text ? old : next);
    }
    this.#pods = pods;
    this.#texts = texts;
    if (before === undefined || !isSame(before, pods)) this.#options.onPods(this.pods);
  }

  #distinct(found: readonly Pod[]): Pod[] {
    const { source, logger } = this.#options;
    const taken = new Set<string>();
    const leftOut = new Set<string>();
    const distinct = found.filter((pod) => {
      const nameKey = `name ${podKey(pod)}`;
      const keys = [`uid ${pod.metadata.uid}`, nameKey];
      const isTaken = keys.some((key) => taken.has(key));
      if (taken.has(nameKey)) this.#tellDuplicate(pod);
      for (const key of keys) if (!isTaken) taken.add(key);
      if (isTaken) leftOut.add(podKey(pod));
      return !isTaken;
    });
    for (const pod of leftOut) {
      if (!this.#leftOut.has(pod)) logger.error('pod ignored: duplicate name or UID', { pod, source });
    }
    this.#leftOut = leftOut;
    return distinct;
  }

  /** As release 1.20, whenever the source is read. */
  #tellDuplicate(pod: Pod): void {
    const { source, events } = this.#options;
    const message = `Error validating pod ${formatPodName(pod)} from ${source} due to duplicate pod name "${pod.metadata.name}", ignoring`;
    events.record({ about: { kind: 'pod', pod }, type: 'Warning', reason: 'FailedValidation', message });
  }
}

function isSame(before: ReadonlyMap<string, Pod>, after: ReadonlyMap<string, Pod>): boolean {
  if (before.size !== after.size) return false;
  for (const [uid, pod] of after) if (before.get(uid) !== pod) return false;
  return true;
}
