import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { CheckpointStore, ConfigState } from '../../nodeagent/dynamic-config/index.ts';

/** What the choice of the configuration leaves to the agent that runs with it. */
export interface DynamicConfigStart {
  readonly store: CheckpointStore;
  readonly state: ConfigState;
  /** What the node's status shows until the node is followed. */
  readonly status: NodeConfigStatus;
  /** Why a configuration was not taken; not logged yet. */
  readonly complaints: readonly string[];
}
