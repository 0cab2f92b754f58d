import type { AgentConfig } from '../../nodeagent/options/index.ts';
import type { Container } from '../../nodeagent/runtime/index.ts';

export interface KeptInstancesOptions {
  /** Ended instances to keep of each container; negative keeps all. */
  readonly perContainer: number;
  /** The same for all containers of the node together. */
  readonly inAll: number;
  /** What the runtime has. */
  readonly containers: readonly Pick<Container, 'state' | 'metadata' | 'labels'>[];
  /** Label that tells whose a container is. */
  readonly podUidLabel: string;
}

/**
 * How many ended instances of each container may stay now: while there are more than the node may have, each container
 * has the same share, and at least one (release 1.20's rule).
 */
export function keptInstances({
  perContainer,
  inAll,
  containers,
  podUidLabel,
}: KeptInstancesOptions): number {
  if (inAll < 0) return perContainer;
  const ended = containers.filter(({ state }) => state === 'exited');
  if (ended.length <= inAll) return perContainer;
  const owners = new Set(ended.map(({ labels, metadata }) => `${labels[podUidLabel]}/${metadata.name}`));
  const share = Math.max(1, Math.floor(inAll / owners.size));
  return perContainer < 0 ? share : Math.min(perContainer, share);
}

/** How much the logs of a container may hold. */
interface LogBounds {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Bounds that the agent has to keep up; undefined when nobody does, or the engine does itself. */
export function logBounds(config: AgentConfig): LogBounds | undefined {
  if (config.containerRuntime !== 'remote' || !config.features.CRIContainerLogRotation) return undefined;
  return { maxBytes: config.containerLogMaxSizeBytes, maxFiles: config.containerLogMaxFiles };
}
