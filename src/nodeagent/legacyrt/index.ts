/**
 * A driver of engines that speak the Docker Engine API on a socket (`--container-runtime=legacyrt`): pods and containers
 * are containers of the engine, with a waiting one per pod that holds its namespaces, and names and labels that tell
 * which is whose, so that a restarted agent knows them again. Networks of pods are the engine's own, those of CNI
 * plugins, or a bridge of the agent's; logs are copied into the agent's format; streams have a server of their own.
 * Starts no engine.
 */
export { createLegacyRuntime, type LegacyRuntimeOptions } from './legacyrt-runtime.ts';
