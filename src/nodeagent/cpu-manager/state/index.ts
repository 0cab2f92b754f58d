/**
 * The file `cpu_manager_state`, which tells an agent that was started anew who has which CPUs; its text is that of
 * release 1.20. What the sets mean is not its business: it is also written when no CPUs are given
 * out, so that a change of the policy is noticed.
 */
export type { CpuRecord } from './checksum.ts';
export { CpuManagerError, CpuStateFile } from './cpu-state-file.ts';
