import { createHash } from 'node:crypto';
import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { keepFirstSeen } from './first-seen.ts';
import type { ManifestDecoder, ManifestOrigin } from './manifest-decoder.ts';
import { ManifestError } from './manifest-error.ts';
import { podKey } from './pod-key.ts';
import type { PodsHandler } from './pod-source.ts';
import { SubmittedFiles } from './submitted-files.ts';

/** What keeping submitted pods takes. */
export interface SubmittedPodsOptions {
  /** Where they are kept; made when it is missing. Nothing else may write there. */
  readonly directory: string;
  readonly decoder: ManifestDecoder;
  readonly onPods: PodsHandler;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Pods that were submitted to the agent itself. They outlive it. */
export interface SubmittedPods {
  /**
   * Takes the pod, or all pods of a `PodList`, of a body in JSON or YAML; those of the same name and namespace are
   * replaced. All or none of a list are accepted. Resolves when they are on disk and handed over.
   *
   * @throws ManifestError when the body is refused.
   */
  submit(body: Buffer): Promise<readonly Pod[]>;
  /** What was submitted, sorted by namespace and name. */
  list(): readonly Pod[];
  /** Removes a pod by its namespace and full name (`web-node1`); the pod that was there. */
  remove(namespace: string, name: string): Promise<Pod | undefined>;
}

/** Most pods that are kept: more than a node runs. */
const maxPods = 1000;
const origin: ManifestOrigin = { source: 'submitted', location: '' };

/** Opens what was submitted before, and hands it over. A file that cannot be used is logged and left alone. */
export async function openSubmittedPods(options: SubmittedPodsOptions): Promise<SubmittedPods> {
  const { decoder, clock, onPods } = options;
  const files = new SubmittedFiles(options.directory);
  const pods = new Map<string, Pod>();
  for (const [name, bytes] of await files.readAll()) {
    try {
      const pod = decoder.restorePod(bytes);
      pods.set(podKey(pod), pod);
    } catch (error) {
      const fields = { directory: options.directory, file: name, error: String(error) };
      options.logger.error('submitted pod unreadable', fields);
    }
  }
  const list = (): Pod[] => [...pods].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pod]) => pod);
  /** Changes happen one after another. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const result = last.then(change);
    last = result.catch(() => {}); // its caller is told
    return result;
  };

  onPods(list());
  return {
    list,
    submit(body) {
      return inTurn(async () => {
        const given = decoder.decodePods(body, origin, clock.nowMs());
        checkFit(given, pods);
        const accepted: Pod[] = [];
        try {
          for (const pod of given) {
            const kept = pods.get(podKey(pod));
            const next = kept === undefined ? pod : mergeKnown(pod, kept, decoder.annotations.seen);
            if (next !== kept) await files.write(fileOf(next), JSON.stringify(next));
            pods.set(podKey(next), next);
            accepted.push(next);
          }
        } finally {
          if (accepted.length > 0) onPods(list());
        }
        return accepted;
      });
    },
    remove(namespace, name) {
      return inTurn(async () => {
        const pod = pods.get(`${namespace}/${name}`);
        if (pod === undefined) return undefined;
        await files.remove(fileOf(pod));
        pods.delete(podKey(pod));
        onPods(list());
        return pod;
      });
    },
  };
}

/** @throws ManifestError when two pods would share a name or a uid, or there would be too many. */
function checkFit(given: readonly Pod[], kept: ReadonlyMap<string, Pod>): void {
  const names = new Set(given.map(podKey));
  if (names.size < given.length) throw refused('a pod is in the list twice');
  const others = [...kept].filter(([key]) => !names.has(key)).map(([, pod]) => pod);
  const uids = new Set(others.map(({ metadata }) => metadata.uid));
  for (const pod of given) {
    const { uid } = pod.metadata;
    if (uids.has(uid)) throw refused(`uid of pod ${podKey(pod)} is taken: ${JSON.stringify(uid)}`);
    uids.add(uid);
  }
  if (uids.size > maxPods) throw refused(`more than ${maxPods} submitted pods`);
}

/** The same content again is the same pod; with a uid of its own another content is the same pod, changed. */
function mergeKnown(pod: Pod, known: Pod, seenAnnotation: string): Pod {
  if (pod.metadata.uid !== known.metadata.uid) return pod;
  const next = keepFirstSeen(pod, known, seenAnnotation);
  return JSON.stringify(next) === JSON.stringify(known) ? known : next;
}

/** Names of pods may be longer than names of files. */
function fileOf(pod: Pod): string {
  return `${createHash('sha256').update(podKey(pod)).digest('hex').slice(0, 32)}.json`;
}

function refused(message: string): ManifestError {
  return new ManifestError(message, { isDecoded: true });
}
