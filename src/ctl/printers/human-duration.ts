/** How long ago something was, as tables of release 1.20 show it: `5s`, `3m20s`, `4h`, `2d3h`, `8d`, `2y10d`. */
export function formatHumanDuration(durationMs: number): string {
  const seconds = Math.trunc(durationMs / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return withRest(years, 'y', days % 365, 'd');
  return `${years}y`;
}

/** The age of an RFC 3339 time; `<unknown>` when there is none. */
export function formatAge(time: unknown, nowMs: number): string {
  const thenMs = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(thenMs) ? '<unknown>' : formatHumanDuration(nowMs - thenMs);
}

function withRest(whole: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${whole}${unit}` : `${whole}${unit}${rest}${restUnit}`;
}
