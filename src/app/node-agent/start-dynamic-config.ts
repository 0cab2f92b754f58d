import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import type { CheckpointStore, ConfigState } from '../../nodeagent/dynamic-config/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { AgentLinks } from './agent-links.ts';

/** What the choice of the configuration leaves to the agent that runs with it. */
export interface DynamicConfigStart {
  readonly store: CheckpointStore;
  readonly state: ConfigState;
  /** What the node's status shows until the node is followed. */
  readonly status: NodeConfigStatus;
  /** Why a configuration was not taken; not logged yet. */
  readonly complaints: readonly string[];
}

/** What the node's status shows of the configuration; undefined without `--dynamic-config-dir`. */
export function nodeConfigOf(
  { dynamicConfig }: AgentBase,
  links: AgentLinks,
): (() => NodeConfigStatus) | undefined {
  return dynamicConfig && (() => links.dynamicConfig?.status() ?? dynamicConfig.status);
}

/** Follows what the node asks for, where the options ask for it. */
export async function startDynamicConfig(
  base: AgentBase,
  links: AgentLinks,
): Promise<AsyncDisposable | undefined> {
  const { dynamicConfig } = base;
  if (dynamicConfig === undefined) return undefined;
  const { followDynamicConfig } = await import('./follow-dynamic-config.ts');
  links.dynamicConfig = followDynamicConfig(base, dynamicConfig, () => void links.node?.update());
  return links.dynamicConfig;
}
