import type { Pod } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { PodSource } from './pod-source.ts';

/** What following the pods of a node takes. */
export interface ApiSourceOptions {
  readonly client: RestClient;
  readonly nodeName: string;
  readonly dialect: Dialect;
  /**
   * Takes all pods that are bound to the node, marked as the API server's, and apart from them the mirror pods, as the
   * server has them. First called when the first list has arrived, however long that takes: until then nothing is known.
   */
  readonly onPods: (pods: readonly Pod[], mirrors: readonly Pod[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The pods of the API server. */
export interface ApiSource extends PodSource {
  /** Whether the first list has arrived. */
  readonly isSynced: boolean;
}

/** Follows the pods of this node on the API server, through all failures, until it is disposed of. */
export declare function startApiSource(options: ApiSourceOptions): ApiSource;
