import type { AgentConfig } from '../../nodeagent/options/index.ts';

/** How much the logs of a container may hold. */
export interface LogBounds {
  readonly maxBytes: number;
  readonly maxFiles: number;
}

/** Bounds that the agent has to keep up; undefined when nobody does, or the engine does itself. */
export function logBounds(config: AgentConfig): LogBounds | undefined {
  if (config.containerRuntime !== 'remote' || !config.features.CRIContainerLogRotation) return undefined;
  return { maxBytes: config.containerLogMaxSizeBytes, maxFiles: config.containerLogMaxFiles };
}
