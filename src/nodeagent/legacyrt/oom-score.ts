import { readFileSync } from 'node:fs';

/** Bit of `CAP_SYS_RESOURCE`, which lets a process lower its out-of-memory score (`linux/capability.h`). */
const resourceCapability = 24n;

/**
 * Lowest out-of-memory score adjustment that containers can get: without `CAP_SYS_RESOURCE`, as in a restricted virtual
 * machine, it is that of this process.
 */
export function leastOomScore(procRoot = '/proc'): number {
  try {
    const status = readFileSync(`${procRoot}/self/status`, 'latin1');
    const [, bits = ''] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
    if (bits === '' || ((BigInt(`0x${bits}`) >> resourceCapability) & 1n) === 1n) return -1000;
    return Number(readFileSync(`${procRoot}/self/oom_score_adj`, 'latin1'));
  } catch {
    return -1000; // The engine reports it when that fails.
  }
}
