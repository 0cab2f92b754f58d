/**
 * Configuration of the agent that its Node names (`spec.configSource`): downloads the ConfigMap, keeps its versions on
 * disk, chooses at the start which one is used, falls back to the last that was known to be good, and says what is in
 * force. After release 1.20's dynamic configuration, release 1.20. It neither reads nor checks a configuration, restarts
 * nothing, and writes no status itself.
 */
export { CheckpointStore } from './checkpoint-store.ts';
export {
  type ChooseConfigOptions,
  type ChosenConfig,
  chooseConfig,
  type LoadedCheckpoint,
} from './choose-config.ts';
export { type ConfigSource, sourcePath } from './config-source.ts';
export { type ConfigState, configStatus } from './config-state.ts';
export type { DynamicConfig, DynamicConfigOptions } from './dynamic-config.ts';
export { followConfig } from './follow-config.ts';
export type { ConfigFailure } from './reasons.ts';
