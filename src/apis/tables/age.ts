import { parseTime } from '../../machinery/values/index.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/**
 * A duration as people read it: the fewer units the longer it is (`59s`, `2m3s`, `5h`, `3d4h`, `2y`). Up to two
 * seconds below zero count as clock difference and give `0s`, less gives `<invalid>`.
 */
export function formatAge(durationMs: number): string {
  const seconds = Math.trunc(durationMs / secondMs);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(durationMs / minuteMs);
  if (minutes < 10) return joinUnits(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(durationMs / hourMs);
  if (hours < 8) return joinUnits(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (hours < 192) return joinUnits(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.trunc(days / 365);
  if (hours < 24 * 365 * 8) return joinUnits(years, 'y', days % 365, 'd');
  return `${years}y`;
}

function joinUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** Time since a time stamp of an object, `<unknown>` when it is not set. `nowMs` is since the Unix epoch. */
export function ageSince(time: string | null | undefined, nowMs: number): string {
  return time === undefined || time === null ? '<unknown>' : formatAge(nowMs - parseTime(time));
}
