import type { ExecSyncResult } from '../runtime/index.ts';

const maxBytes = 10 * 1024;

/** What a command wrote, errors last; the first 10 KiB. */
export function joinOutput({ stdout, stderr }: Pick<ExecSyncResult, 'stdout' | 'stderr'>): string {
  return new TextDecoder().decode(Buffer.concat([stdout, stderr]).subarray(0, maxBytes));
}
