import type { Node, NodeAddress, NodeCondition } from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { AgentConfig } from '../options/index.ts';
import type { NodeResources } from './capacity.ts';
import { initialLabels } from './labels.ts';
import type { Machine } from './machine.ts';
import type { RuntimeHealth } from './runtime-health.ts';

/** What the agent knows of its own node, with or without an API server. */
export interface NodeState {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  /** Those of the node object where there is one, else those that it would be registered with. */
  readonly labels: Readonly<Record<string, string>>;
  readonly addresses: readonly NodeAddress[];
  /** Internal addresses, then external ones; the first one is the node's own. Empty when it has none. */
  readonly hostIps: readonly string[];
  readonly conditions: readonly NodeCondition[];
  readonly isRuntimeReady: boolean;
  readonly isNetworkReady: boolean;
  /** The runtime's message when its network is not ready; undefined when it is, or is unknown. */
  readonly networkProblem: string | undefined;
}

/** What is known of the node before the API server has said anything. */
export interface NodeRecordOptions {
  readonly config: Pick<AgentConfig, 'nodeLabels'>;
  readonly nodeName: string;
  readonly machine: Pick<Machine, 'architecture'>;
  readonly health: Pick<RuntimeHealth, 'isRuntimeReady' | 'isNetworkReady' | 'networkProblem'>;
  readonly dialect: Dialect;
}

/** What is known of the node now. The node keeper writes it; others only read it. */
export class NodeRecord {
  readonly #options: NodeRecordOptions;
  /** As the API server has it; undefined before it is known, without an API server, and after it was deleted. */
  node: Node | undefined;
  resources: NodeResources = { capacity: {}, allocatable: {} };
  addresses: readonly NodeAddress[] = [];
  conditions: readonly NodeCondition[] = [];

  constructor(options: NodeRecordOptions) {
    this.#options = options;
  }

  state(): NodeState {
    const { health } = this.#options;
    return {
      ...this.resources,
      labels: this.node?.metadata.labels ?? this.#initialLabels(),
      addresses: this.addresses,
      hostIps: [...this.#ips('InternalIP'), ...this.#ips('ExternalIP')],
      conditions: this.conditions,
      isRuntimeReady: health.isRuntimeReady,
      isNetworkReady: health.isNetworkReady,
      networkProblem: health.networkProblem,
    };
  }

  #ips(wanted: string): readonly string[] {
    return this.addresses.filter(({ type }) => type === wanted).map(({ address }) => address);
  }

  #initialLabels(): Readonly<Record<string, string>> {
    const { config, nodeName, machine, dialect } = this.#options;
    const { architecture } = machine;
    return initialLabels({ hostname: nodeName, architecture, given: config.nodeLabels, dialect });
  }
}
