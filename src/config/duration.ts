const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Milliseconds of a duration written as Go writes it (`1h30m`, `100ms`, `0`), or `undefined` when it is not one. */
export function parseDurationMs(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  const body = /^[+-]/.test(text) ? text.slice(1) : text;
  if (body === '0') return 0;
  if (body === '' || body.length > 64) return undefined;
  let total = 0;
  part.lastIndex = 0;
  while (part.lastIndex < body.length) {
    const match = part.exec(body);
    if (match === null) return undefined;
    total += Number(match[1]) * (unitMs[match[2] ?? ''] ?? Number.NaN);
  }
  return total === 0 ? 0 : sign * total;
}

/** Writes milliseconds the way Go does: `1m0s`, `1.5s`, `100ms`, `0s`. */
export function formatDurationMs(durationMs: number): string {
  if (durationMs < 0) return `-${formatDurationMs(-durationMs)}`;
  if (durationMs === 0) return '0s';
  if (durationMs < 1000) return durationMs < 1 ? `${trim(durationMs * 1000)}µs` : `${trim(durationMs)}ms`;
  const hours = Math.floor(durationMs / 3_600_000);
  const minutes = Math.floor((durationMs % 3_600_000) / 60_000);
  const seconds = `${trim((durationMs % 60_000) / 1000)}s`;
  if (hours > 0) return `${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${minutes}m${seconds}` : seconds;
}

function trim(value: number): string {
  return String(Number(value.toFixed(9)));
}
