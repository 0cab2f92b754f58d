import type { Pod, PodStatus } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { isStaticPod } from '../sources/pod-annotations.ts';
import { MirrorPods } from './mirror-pods.ts';
import { createPodRequests } from './pod-requests.ts';
import { StatusWriter } from './status-writer.ts';

/** What reporting takes. */
export interface PodReportsOptions {
  readonly client: RestClient;
  readonly nodeName: string;
  /** Of the node's object, which owns mirror pods; undefined while there is none, and then no mirror is made. */
  readonly nodeUid: () => string | undefined;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Numbers from 0 to 1 that spread the pauses before another attempt. */
  readonly random?: (() => number) | undefined;
}

/**
 * Writes to the API server, in the background: each call returns at once. Per pod the newest call wins, writes are in
 * order, and one that fails is tried again with growing pauses. Disposing gives up what is not written.
 */
export interface PodReports extends AsyncDisposable {
  /**
   * The status that a pod shall have. `pod` is as its source handed it over last: its own `status` is what the server
   * is known to have, and the status of a static pod goes to its mirror. Conditions of others are kept. Nothing is sent
   * when nothing changed.
   */
  setStatus(pod: Pod, status: PodStatus): void;
  /** Nothing of the pod is left on the node: after its last status, a pod that is being deleted is removed. */
  finish(pod: Pod): void;
  /** No source has the pod any more, and it has ended: it is remembered until then. What is not written never will be. */
  forget(podUid: string): void;
  /**
   * All static pods. Mirrors of others are deleted, so call it first when all sources were read, and keep a pod in it
   * until it has ended. Of pods with the same name the last one counts.
   */
  setStatic(pods: readonly Pod[]): void;
  /** All mirror pods, as the source of the API server's pods sees them. No mirror is touched before the first call. */
  setMirrors(pods: readonly Pod[]): void;
  /** Resolves when nothing is left to write but what waits for another attempt. */
  whenIdle(): Promise<void>;
}

/** Makes the reporter; it writes nothing before the first report. */
export function createPodReports(options: PodReportsOptions): PodReports {
  const { client, dialect, random = Math.random } = options;
  const logger = options.logger.child({ part: 'reports' });
  const end = new AbortController();
  const { signal } = end;
  const shared = { ...options, random, logger, signal, requests: createPodRequests(client, signal) };
  const isStatic = (pod: Pod): boolean => isStaticPod(pod, dialect);
  const mirrors: MirrorPods = new MirrorPods({
    ...shared,
    onMirror: (pod) => statuses.touch(pod.metadata.uid ?? ''),
  });
  const statuses: StatusWriter = new StatusWriter({
    ...shared,
    isStatic,
    findObject: (pod) => (isStatic(pod) ? mirrors.find(pod) : pod),
  });
  return {
    setStatus: (pod, status) => statuses.setStatus(pod, status),
    finish: (pod) => statuses.finish(pod),
    forget: (podUid) => statuses.forget(podUid),
    setStatic: (pods) => mirrors.setStatic(pods),
    setMirrors: (pods) => mirrors.setMirrors(pods),
    async whenIdle() {
      await mirrors.whenIdle(); // its work is what statuses may wait for, not the other way round
      await statuses.whenIdle();
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await Promise.all([mirrors.done, statuses.done]);
    },
  };
}
