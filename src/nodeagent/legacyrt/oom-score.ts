import { readFileSync } from 'node:fs';

/** Bit of the capability that lets a process ask to be spared when memory runs short (`linux/capability.h`). */
const resourceCapability = 24n;

/**
 * Least score that processes of this machine's containers can be given: where this process lacks the capability to lower
 * scores, as in a restricted virtual machine, it is that of the process itself.
 */
export function leastOomScore(procRoot = '/proc'): number {
  try {
    const status = readFileSync(`${procRoot}/self/status`, 'latin1');
    const [, bits = ''] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
    if (bits === '' || ((BigInt(`0x${bits}`) >> resourceCapability) & 1n) === 1n) return -1000;
    return Number(readFileSync(`${procRoot}/self/oom_score_adj`, 'latin1'));
  } catch {
    return -1000; // Let the engine say what it cannot do.
  }
}
