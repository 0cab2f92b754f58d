import type { NodeConfigStatus } from '../../apis/types/core-v1.ts';
import {
  type ConfigSource,
  type ConfigState,
  configStatus,
  type DynamicConfig,
  followConfig,
  sourcePath,
} from '../../nodeagent/dynamic-config/index.ts';
import type { AgentBase } from './agent-base.ts';
import type { DynamicConfigStart } from './dynamic-config-start.ts';

/** Says with what configuration the agent runs, and follows what the node asks for where there is an API server. */
export function followDynamicConfig(
  base: AgentBase,
  { store, state: initial, complaints }: DynamicConfigStart,
  onStatus: (status: NodeConfigStatus) => void,
): DynamicConfig | undefined {
  const { clients, nodeName, dialect, clock, logger, end } = base;
  for (const complaint of complaints) logger.error(complaint);
  const { active } = initial;
  const source = active === undefined ? 'local' : sourcePath(active);
  logger.info('configuration chosen', { source, uid: active?.uid, resourceVersion: active?.resourceVersion });
  showMetrics(base, initial);
  if (clients === undefined) return undefined;
  return followConfig({
    store,
    state: initial,
    client: clients.main,
    nodeName,
    dialect,
    clock,
    logger,
    onChange(state) {
      showMetrics(base, state);
      onStatus(configStatus(state, dialect));
    },
    onRestart: (message) => end(message),
  });
}

function showMetrics({ metrics }: AgentBase, state: ConfigState): void {
  const hasFailed = state.error !== undefined || state.syncError !== undefined;
  metrics.set('nodeagent_node_config_error', hasFailed ? 1 : 0);
  const sources = [
    ['nodeagent_node_config_assigned', state.assigned],
    ['nodeagent_node_config_active', state.active],
    ['nodeagent_node_config_last_known_good', state.lastKnownGood],
  ] as const;
  for (const [name, source] of sources) {
    metrics.clear(name);
    metrics.set(name, 1, labelsOf(source));
  }
}

const labelsOf = (source: ConfigSource | undefined): string[] =>
  source === undefined
    ? ['local', '', '', '']
    : [sourcePath(source), source.uid, source.resourceVersion, source.key];
