import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { ManifestDecoder } from './manifest-decoder.ts';
import type { PodsHandler } from './pod-source.ts';

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
   * Takes the pod, or all pods of a list, of a body in JSON or YAML; those of the same name and namespace are replaced.
   * Resolves when they are on disk. All or none of a list are accepted.
   *
   * @throws ManifestError when the body is refused.
   */
  submit(body: Buffer): Promise<readonly Pod[]>;
  list(): readonly Pod[];
  /** Removes a pod by its namespace and full name (`web-node1`); the pod that was there. */
  remove(namespace: string, name: string): Promise<Pod | undefined>;
}

/** Opens what was submitted before, and hands it over. A file that cannot be used is logged and left alone. */
export declare function openSubmittedPods(options: SubmittedPodsOptions): Promise<SubmittedPods>;
