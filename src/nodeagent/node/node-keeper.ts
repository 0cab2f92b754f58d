import type { Node, NodeAddress, NodeCondition, NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { Image, RuntimeService } from '../runtime/index.ts';
import type { Machine } from './machine.ts';

/** What the node lacks at the moment, as eviction sees it. */
export interface NodePressure {
  readonly memory: boolean;
  readonly disk: boolean;
  readonly pid: boolean;
}

/** What the agent knows of its own node, with or without an API server. */
export interface NodeState {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  /** Those of the node object where there is one, else those that it would be registered with. */
  readonly labels: Readonly<Record<string, string>>;
  readonly addresses: readonly NodeAddress[];
  /** Internal addresses, the first one is the node's own; empty when it has none. */
  readonly hostIps: readonly string[];
  readonly conditions: readonly NodeCondition[];
  readonly isRuntimeReady: boolean;
  readonly isNetworkReady: boolean;
  /** What the runtime says of a network that is not ready; undefined when it is, or nobody has asked yet. */
  readonly networkProblem: string | undefined;
}

export interface NodeKeeperOptions {
  /** Undefined: without an API server. */
  readonly client: RestClient | undefined;
  readonly config: AgentConfig;
  readonly machine: Machine;
  readonly nodeName: string;
  readonly runtime: Pick<RuntimeService, 'version' | 'status' | 'setPodCidr'>;
  /** Images for the node's status. */
  readonly images: () => Promise<readonly Image[]>;
  readonly pressure: () => NodePressure;
  /** Further reasons for which the node is not ready, as messages. */
  readonly problems?: (() => readonly string[]) | undefined;
  /** Reasons of that kind that stand last. */
  readonly lastProblems?: (() => readonly string[]) | undefined;
  /** Volumes that the status shows as in use. */
  readonly volumesInUse?: (() => readonly string[]) | undefined;
  /** Sources of the agent's configuration, as the status shows them; undefined leaves them alone. */
  readonly nodeConfig?: (() => NodeConfigStatus) | undefined;
  /** Port of the agent's server, as the status tells it. */
  readonly port: number;
  /** Release of the API that the agent speaks, as the status tells it, such as `v1.20.2`. */
  readonly release: string;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly events: EventRecorder;
}

/** Keeps the node object and its lease true. */
export interface NodeKeeper extends AsyncDisposable {
  state(): NodeState;
  /** As the API server has it; undefined before it is known, without an API server, and after it was deleted. */
  node(): Node | undefined;
  /** Resolves when the node was registered or found; without an API server at once. Never rejects. */
  readonly whenRegistered: Promise<void>;
  /** Looks at everything now and reports what changed. */
  update(): Promise<void>;
}
