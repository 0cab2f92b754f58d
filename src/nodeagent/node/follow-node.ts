import type { Node } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import { type Informer, startInformer } from '../../client/informer/index.ts';
import type { RestClient } from '../../client/rest/index.ts';

/** The Node that is followed until `signal` aborts, and who is notified of it. */
export interface FollowNodeOptions {
  readonly client: RestClient;
  readonly nodeName: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Called with the node as it is, and whenever it changes. */
  readonly onNode: (node: Node) => void;
  readonly onDelete?: () => void;
}

/** Follows one node on the server until the signal; failures are logged and tried again. */
export function followNode(options: FollowNodeOptions): Informer {
  const { client, nodeName, clock, logger, signal, onDelete = () => {} } = options;
  // The collection holds nodes.
  const onNode = (node: unknown): void => options.onNode(node as Node);
  return startInformer({
    client,
    clock,
    resource: { group: '', version: 'v1', resource: 'nodes' },
    fieldSelector: `metadata.name=${nodeName}`,
    signal,
    onError: (error) => logger.debug('node watch failed', { error }),
    onAdd: onNode,
    onUpdate: onNode,
    onDelete,
  });
}
