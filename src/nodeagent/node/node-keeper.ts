import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { Clock, Logger } from '../../base/index.ts';
import type { RestClient } from '../../client/rest/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { EventRecorder } from '../events/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { Image, RuntimeService } from '../runtime/index.ts';
import type { DeviceAmounts } from './capacity.ts';
import type { Machine } from './machine.ts';
import type { NodeRecord } from './node-record.ts';
import type { RuntimeHealth } from './runtime-health.ts';

/** Resources that run short on the node, as the eviction manager observes them. */
export interface NodePressure {
  readonly memory: boolean;
  readonly disk: boolean;
  readonly pid: boolean;
}

/** What the Node is registered, updated and kept alive from. */
export interface NodeKeeperOptions {
  /** Undefined: without an API server. */
  readonly client: RestClient | undefined;
  readonly config: AgentConfig;
  readonly machine: Machine;
  readonly nodeName: string;
  /** Kept true. */
  readonly record: NodeRecord;
  /** What the runtime says of itself; the keeper asks it. */
  readonly health: RuntimeHealth;
  readonly runtime: Pick<RuntimeService, 'setPodCidr'>;
  /** Images for the node's status. */
  readonly images: () => Promise<readonly Image[]>;
  readonly pressure: () => NodePressure;
  /**
   * Resolves when those who name problems have looked for the first time: the first status waits for it, for a while, so that a
   * node that was ready stays so over a restart of its agent. Never rejects.
   */
  readonly whenSettled: Promise<unknown>;
  /** Further reasons for which the node is not ready, as messages. */
  readonly problems: () => readonly string[];
  /** Reasons of that kind that stand last. */
  readonly lastProblems: () => readonly string[];
  /** Devices of plugins, as the node's capacity shows them. */
  readonly devices: () => DeviceAmounts;
  /** Extended resources that the node shows at the start are those of the agent's plugins: they are not set to 0. */
  readonly keepsExtended: boolean;
  /** Volumes that the status shows as in use. */
  readonly volumesInUse: () => readonly string[];
  /** Sources of the agent's configuration, as the status shows them; undefined leaves them alone. */
  readonly nodeConfig: () => NodeConfigStatus | undefined;
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
  /** Resolves when the record is filled, which needs neither the API server nor the runtime. To be called once. */
  start(): Promise<void>;
  /** Resolves when the node was registered or found; without an API server at once. Never rejects. */
  readonly whenRegistered: Promise<void>;
  /** Computes everything now and reports what changed. */
  update(): Promise<void>;
}
