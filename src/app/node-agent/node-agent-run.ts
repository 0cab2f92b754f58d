import type { LoadedAgentConfig } from '../../nodeagent/options/index.ts';
import type { DynamicConfigStart } from './dynamic-config-start.ts';

/** A configuration to run with. */
export type NodeAgentRun = LoadedAgentConfig & {
  /** Release of the API that the agent speaks. */
  readonly version: string;
  /** With `--dynamic-config-dir`: where the configuration came from. */
  readonly dynamicConfig?: DynamicConfigStart | undefined;
};
