/** Least weight that control groups know. */
export const minCpuShares = 2;
const sharesPerCpu = 1024;

/** Period that CPU time is bounded over, unless the agent is told another. */
export const defaultCpuPeriodUs = 100_000;
/** Shortest quota that the kernel takes. */
const minCpuQuotaUs = 1000;

/** Relative weight that thousandths of CPUs stand for. */
export function cpuSharesOf(cpuMillis: number): number {
  return Math.max(minCpuShares, Math.floor((cpuMillis * sharesPerCpu) / 1000));
}

/** CPU time per period that thousandths of CPUs stand for; 0, which is no bound, for none. */
export function cpuQuotaUsOf(cpuMillis: number, periodUs: number): number {
  return cpuMillis === 0 ? 0 : Math.max(minCpuQuotaUs, Math.floor((cpuMillis * periodUs) / 1000));
}
