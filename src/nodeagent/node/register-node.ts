import type { Node } from '../../apis/types/core-v1.ts';
import { type Clock, type Logger, pause } from '../../base/index.ts';
import type { NodeClient } from './node-client.ts';

/** The Node to create, until that succeeds or `signal` aborts. */
export interface RegisterNodeOptions {
  readonly nodes: NodeClient;
  /** Made for each attempt, so that it is never old. */
  readonly initial: () => Node;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Waits between attempts, as in release 1.20: 100 ms doubled up to 7 s. */
const firstWaitMs = 100;
const maxWaitMs = 7000;

/** The node as the server has it, and whether it was there before. */
export interface Registration {
  readonly node: Node;
  readonly hasExisted: boolean;
}

/** Makes the node, or finds it; goes on until one of both succeeds. Undefined when the signal ended it. */
export async function registerNode(options: RegisterNodeOptions): Promise<Registration | undefined> {
  const { nodes, initial, clock, logger, signal } = options;
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
    try {
      const made = await nodes.create(initial());
      if (made !== undefined) return { node: made, hasExisted: false };
      const existing = await nodes.get();
      if (existing !== undefined) return { node: existing, hasExisted: true };
    } catch (error) {
      if (signal.aborted) return undefined;
      logger.error('node registration failed', { error });
    }
    await pause(clock, waitMs, signal);
  }
  return undefined;
}
