import { formatDuration } from '../../machinery/values/index.ts';

/** Milliseconds as Go writes them: `1m30s`, `500ms`, `0s`. */
export function goDuration(durationMs: number): string {
  return formatDuration(BigInt(Math.round(durationMs * 1e6)));
}
