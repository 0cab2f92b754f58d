import { readFile } from 'node:fs/promises';
import type { Logger } from '../../base/index.ts';
import type { RunProgram } from './run-program.ts';

/** The process whose limit of open files (`RLIMIT_NOFILE`) is set, soft and hard. */
export interface OpenFilesOptions {
  readonly limit: number;
  readonly pid: number;
  readonly run: RunProgram;
  readonly logger: Logger;
}

/**
 * Bounds how many files a process may have open, by `prlimit`: this language has no call for it. Where that cannot be
 * done the process goes on with the bound that it has.
 */
export async function limitOpenFiles({ limit, pid, run, logger }: OpenFilesOptions): Promise<void> {
  const text = await readFile(`/proc/${pid}/limits`, 'utf8').catch(() => '');
  const [, soft, hard] = /^Max open files\s+(\S+)\s+(\S+)/m.exec(text) ?? [];
  if (soft === String(limit) && hard === soft) return;
  const { code, output } = await run('prlimit', [`--pid=${pid}`, `--nofile=${limit}:${limit}`]);
  if (code !== 0) logger.info('open file limit update failed', { limit, actual: soft, output });
}
