import { ownValue } from '../../base/index.ts';
import { DurationError, parseDuration } from '../../machinery/go-values/index.ts';

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const monthNames = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const minute: Field = { min: 0, max: 59 };
const hour: Field = { min: 0, max: 23 };
const dayOfMonth: Field = { min: 1, max: 31 };
const month: Field = { min: 1, max: 12, names: monthNames };
const dayOfWeek: Field = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };
const fieldCount = 5;
/** What descriptors stand for. */
const descriptors: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const every = '@every ';
const nanosPerSecond = 1_000_000_000n;

/** When something is due: after a delay in whole seconds, or at the local times that have a value of each field. */
export type CronSchedule =
  | { readonly kind: 'every'; readonly delaySeconds: number }
  | {
      readonly kind: 'fields';
      readonly minutes: ReadonlySet<number>;
      readonly hours: ReadonlySet<number>;
      readonly daysOfMonth: ReadonlySet<number>;
      /** From 1. */
      readonly months: ReadonlySet<number>;
      /** From 0, which is Sunday. */
      readonly daysOfWeek: ReadonlySet<number>;
      /** Whether a day that one of the two sets of days has will do; otherwise both must have it. */
      readonly isEitherDay: boolean;
    };

/** Text that is no schedule. Wording of release 1.20. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError';
}

/** What is wrong with a cron schedule (five fields or a descriptor), or undefined. Wording of release 1.20. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    parseCronSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

/**
 * Reads five fields (minute, hour, day of month, month, day of week), or a descriptor. Source: robfig/cron 1.1, `ParseStandard`.
 *
 * @throws ScheduleError
 */
export function parseCronSchedule(schedule: string): CronSchedule {
  if (schedule === '') throw new ScheduleError('Empty spec string');
  if (schedule.startsWith(every)) return parseEvery(schedule);
  let text = schedule;
  if (schedule.startsWith('@')) {
    const meaning = ownValue(descriptors, schedule);
    if (meaning === undefined) throw new ScheduleError(`Unrecognized descriptor: ${schedule}`);
    text = meaning;
  }
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fieldCount) {
    throw new ScheduleError(`Expected exactly ${fieldCount} fields, found ${parts.length}: ${schedule}`);
  }
  const [minutes = '', hours = '', daysOfMonth = '', months = '', daysOfWeek = ''] = parts;
  const parsed = {
    minutes: parseField(minutes, minute),
    hours: parseField(hours, hour),
    daysOfMonth: parseField(daysOfMonth, dayOfMonth),
    months: parseField(months, month),
    daysOfWeek: parseField(daysOfWeek, dayOfWeek),
  };
  return {
    kind: 'fields',
    minutes: parsed.minutes.values,
    hours: parsed.hours.values,
    daysOfMonth: parsed.daysOfMonth.values,
    months: parsed.months.values,
    daysOfWeek: parsed.daysOfWeek.values,
    isEitherDay: !parsed.daysOfMonth.isAny && !parsed.daysOfWeek.isAny,
  };
}

function parseEvery(text: string): CronSchedule {
  try {
    const seconds = Number(parseDuration(text.slice(every.length)) / nanosPerSecond);
    return { kind: 'every', delaySeconds: Math.max(1, seconds) };
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new ScheduleError(`Failed to parse duration ${text}: ${error.message}`);
  }
}

interface ParsedField {
  readonly values: ReadonlySet<number>;
  /** Whether it has a `*` or `?`, with a step or without. */
  readonly isAny: boolean;
}

/** Ranges with commas between them. */
function parseField(text: string, field: Field): ParsedField {
  const values = new Set<number>();
  const ranges = new Set<number>();
  let isAny = false;
  for (const range of text.split(',')) {
    if (range === '') continue;
    const { start, end, step, isAny: isAnyValue } = parseRange(range, field);
    isAny ||= isAnyValue;
    // A text may have the same range a million times. No field has as many values as a step of 63 leaps over.
    const key = (start * 64 + end) * 64 + Math.min(step, 63);
    if (ranges.has(key)) continue;
    ranges.add(key);
    for (let value = start; value <= end; value += step) values.add(value);
  }
  return { values, isAny };
}

interface ParsedRange {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  readonly isAny: boolean;
}

/** `5`, `1-5`, `*`, each with an optional `/step`. */
function parseRange(range: string, field: Field): ParsedRange {
  const [bounds = '', step, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreBounds] = bounds.split('-');
  let start = field.min;
  let end = field.max;
  const isAny = low === '*' || low === '?';
  if (!isAny) {
    start = parseNumber(low, field);
    end = start;
    if (moreBounds.length > 0) throw new ScheduleError(`Too many hyphens: ${range}`);
    if (high !== undefined) end = parseNumber(high, field);
  }
  if (moreSteps.length > 0) throw new ScheduleError(`Too many slashes: ${range}`);
  let stepSize = 1;
  if (step !== undefined) {
    stepSize = parseNumber(step);
    // `N/step` runs from N to the end.
    if (high === undefined) end = field.max;
  }
  if (start < field.min) {
    throw new ScheduleError(`Beginning of range (${start}) below minimum (${field.min}): ${range}`);
  }
  if (end > field.max) {
    throw new ScheduleError(`End of range (${end}) above maximum (${field.max}): ${range}`);
  }
  if (start > end) {
    throw new ScheduleError(`Beginning of range (${start}) beyond end of range (${end}): ${range}`);
  }
  if (stepSize === 0) throw new ScheduleError(`Step of range should be a positive number: ${range}`);
  return { start, end, step: stepSize, isAny };
}

function parseNumber(text: string, field?: Field): number {
  const named = text === '' ? -1 : (field?.names?.indexOf(text.toLowerCase()) ?? -1);
  if (named >= 0) return named;
  if (!/^[+-]?\d{1,15}$/.test(text)) {
    const reason = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw new ScheduleError(`Failed to parse int from ${text}: ${reason}`);
  }
  const number = Number(text);
  if (number < 0) throw new ScheduleError(`Negative number (${number}) not allowed: ${text}`);
  return number;
}
