import { readFileSync, writeFileSync } from 'node:fs';
import type { Logger } from '../../base/index.ts';
import type { AgentConfig } from '../../nodeagent/options/index.ts';

/** What keeps an agent from starting on this machine. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}

/**
 * Makes sure that the machine can run pods, and the process survives when memory runs short.
 *
 * @throws MachineError when swap is on and must not be
 */
export function prepareProcess(
  config: Pick<AgentConfig, 'failSwapOn' | 'oomScoreAdj'>,
  logger: Logger,
  proc = '/proc',
): void {
  const swaps = readText(`${proc}/swaps`).trim().split('\n');
  if (swaps.length > 1) {
    const message = `running with swap on is not supported, please disable swap! or set --fail-swap-on flag to false. /proc/swaps contained: [${swaps.join(' ')}]`;
    if (config.failSwapOn) throw new MachineError(message);
    logger.info('swap is enabled; pods may exceed their memory limits');
  }
  try {
    writeFileSync(`${proc}/self/oom_score_adj`, `${config.oomScoreAdj}`);
  } catch (error) {
    logger.info('OOM score adjustment failed', {
      score: config.oomScoreAdj,
      error: String(error),
    });
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
