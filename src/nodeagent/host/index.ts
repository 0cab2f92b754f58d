/**
 * What the agent does to its machine beside running pods: settings of the kernel, its own bound of open files, its lock
 * file, chains of iptables, what its kernel knows of profiles and tells of processes that it killed. It knows nothing of
 * pods. After the agent of release 1.20.
 */
export { type AppArmorHost, appArmorHost } from './apparmor.ts';
export { applyKernelSettings, type KernelSettingsOptions } from './kernel-settings.ts';
export { acquireLockFile, type LockFile, type LockFileOptions, untilContended } from './lock-file.ts';
export {
  type ChainRules,
  ensureNetworkChains,
  hasNetworkChains,
  type NetworkChainsOptions,
  networkChains,
} from './network-chains.ts';
export { limitOpenFiles, type OpenFilesOptions } from './open-files.ts';
export { type ProgramResult, type RunProgram, runProgram } from './run-program.ts';
export {
  type KernelLog,
  OomReader,
  type SystemOom,
  type SystemOomOptions,
  watchSystemOoms,
} from './system-oom.ts';
