import type { NodeKeeper, NodeKeeperOptions } from './node-keeper.ts';

/** Registers the node and keeps its status and lease until it is disposed of. */
export function startNodeKeeper(_options: NodeKeeperOptions): Promise<NodeKeeper> {
  return Promise.reject(new Error('not yet'));
}
