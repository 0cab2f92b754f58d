import type { Clock, Logger } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentMetrics } from '../../nodeagent/api/index.ts';
import type { EventRecorder } from '../../nodeagent/events/index.ts';
import type { Machine } from '../../nodeagent/node/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';
import type { ContainerRuntime } from '../../nodeagent/runtime/index.ts';
import type { AgentClients } from './agent-clients.ts';
import type { DynamicConfigStart } from './dynamic-config-start.ts';

/** What an agent is started with. */
export interface NodeAgentStart {
  readonly config: AgentConfig;
  readonly dialect: Dialect;
  /** Release of the API that the agent speaks, such as `v1.20.2`. */
  readonly version: string;
  /** That of the process, for the programs that it runs. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets how much is logged. */
  readonly setVerbosity: (level: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Ends a start that waits for its credentials. */
  readonly signal: AbortSignal;
  /** Undefined without `--dynamic-config-dir`. */
  readonly dynamicConfig: DynamicConfigStart | undefined;
  /** Ends the agent, so that its supervisor starts another one. */
  readonly end: (reason: string) => void;
}

/** What all parts of an agent stand on. */
export interface AgentBase extends NodeAgentStart {
  readonly nodeName: string;
  readonly machine: Machine;
  readonly driver: Pick<ContainerRuntime, 'runtime' | 'images'>;
  /** Undefined: there is no API server. */
  readonly clients: AgentClients | undefined;
  readonly metrics: AgentMetrics;
  readonly events: EventRecorder;
  /** Aborts when the agent ends. */
  readonly signal: AbortSignal;
}
