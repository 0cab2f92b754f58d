import type { PodSandboxConfig } from '../runtime/index.ts';
import type { ContainerDetails } from './engine-types.ts';

/** A pod whose network is set up. */
export interface PodToConnect {
  readonly sandboxId: string;
  /** Process that holds the sandbox's namespaces. */
  readonly pid: number;
  readonly config: PodSandboxConfig;
}

/** Connects pods to a network of their own. Not called for pods on the node's network. */
export interface PodNetwork {
  /** Network of new sandboxes in the engine's terms. */
  readonly engineMode: string;
  /** Whether the engine maps ports itself. */
  readonly mapsPorts: boolean;
  /** Undefined when pods can be connected. */
  problem(): Promise<string | undefined>;
  /** Ranges, separated by commas. */
  setPodCidr(podCidr: string): Promise<void>;
  /** @throws RuntimeError when it cannot be; what was begun is taken back */
  connect(pod: PodToConnect): Promise<void>;
  /** Does nothing when that is done. `pid` is 0 when the sandbox has ended. */
  disconnect(pod: { readonly sandboxId: string; readonly pid: number }): Promise<void>;
  /** Addresses of a running sandbox, the first one first. */
  addresses(sandbox: ContainerDetails): Promise<readonly string[]>;
}

/** The engine's own network, where no plugin is named. */
export function createEngineNetwork(): PodNetwork {
  return {
    engineMode: 'default',
    mapsPorts: true,
    problem: async () => undefined,
    async setPodCidr() {},
    async connect() {},
    async disconnect() {},
    async addresses({ NetworkSettings }) {
      const networks = [NetworkSettings, ...Object.values(NetworkSettings?.Networks ?? {})];
      const ips = networks.flatMap((network) => [network?.IPAddress, network?.GlobalIPv6Address]);
      return [...new Set(ips.filter((ip): ip is string => ip !== undefined && ip !== ''))];
    },
  };
}
