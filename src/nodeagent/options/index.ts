/**
 * The options of the node agent: one table, and what is made from it: the command line's parser, the configuration
 * file's reader, the layering of both over the defaults, checks, notices, `/configz`, help, man page and completion, and
 * the typed frozen `AgentConfig` that the rest of the agent reads. It runs nothing, and opens no file but through the
 * function that it is given.
 */
export { type AgentConfig, completeAgentConfig } from './agent-config.ts';
export type { AgentOptionValues } from './agent-option-values.ts';
export { configFileKind, configFileVersion } from './config-file.ts';
export { configz, selfSignedPaths } from './configz.ts';
export { parseCpuSet } from './cpu-set.ts';
export {
  type EvictionAmount,
  type EvictionSignal,
  type EvictionThreshold,
  evictionSignals,
  readEvictionThresholds,
} from './eviction.ts';
export type { AgentFeatures } from './feature-gates.ts';
export type { ValueOrigin } from './layer-options.ts';
export {
  type AgentConfigSources,
  type AgentRequest,
  type LoadedAgentConfig,
  readAgentRequest,
} from './load-config.ts';
export { deprecationText } from './notices.ts';
export { optionDefaultText, ownSection } from './option-specs.ts';
export { type AgentOption, agentOptions, agentParts, flagOptions } from './option-table.ts';
export { printConfig } from './print-config.ts';
export { AgentOptionsError, type AgentProblem, formatProblem } from './problem.ts';
export { nodeAgentProgram } from './program.ts';
export { type ReservedResources, readReservations } from './reservations.ts';
export { checkStart, type StartProbe } from './start-checks.ts';
