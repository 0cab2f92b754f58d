import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { CheckpointStore } from './checkpoint-store.ts';
import type { ConfigState } from './config-state.ts';

/** The Node whose `spec.configSource` is followed, and who is notified of changes. */
export interface DynamicConfigOptions {
  readonly store: CheckpointStore;
  /** As it was chosen at the start. */
  readonly state: ConfigState;
  readonly client: RestClient;
  readonly nodeName: string;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Told of each change, also of what the status shows. */
  readonly onChange: (state: ConfigState) => void;
  /** Another configuration is in place: the agent must be started anew. Called once, after the event was written. */
  readonly onRestart: (message: string) => void;
}

/** Follows what the node asks for until it is disposed of. */
export interface DynamicConfig extends AsyncDisposable {
  state(): ConfigState;
  /** What `node.status.config` shows. */
  status(): NodeConfigStatus;
}
