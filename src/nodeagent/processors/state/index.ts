/**
 * The file `cpu_manager_state`, which tells an agent that was started anew who has which processors; its text is that of
 * release 1.20. What the sets mean is not its business: it is also written when no processors are given
 * out, so that a change of the policy is noticed.
 */
export type { CpuRecord } from './cpu-record.ts';
export { CpuStateFile, ProcessorsError } from './cpu-state-file.ts';
