import { DurationError, parseDuration } from '../../machinery/go-values/index.ts';

interface Field {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const fields: readonly Field[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const descriptors = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
]);
const every = '@every ';

class ScheduleError extends Error {}

/** What is wrong with a cron schedule (five fields or a descriptor), or undefined. Wording of release 1.20. */
export function scheduleProblem(schedule: string): string | undefined {
  try {
    checkSchedule(schedule);
    return undefined;
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

function checkSchedule(schedule: string): void {
  if (schedule === '') throw new ScheduleError('Empty spec string');
  if (schedule.startsWith('@')) {
    checkDescriptor(schedule);
    return;
  }
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length) {
    throw new ScheduleError(`Expected exactly ${fields.length} fields, found ${parts.length}: ${schedule}`);
  }
  for (const [position, field] of fields.entries()) {
    for (const range of (parts[position] ?? '').split(',')) if (range !== '') checkRange(range, field);
  }
}

function checkDescriptor(text: string): void {
  if (descriptors.has(text)) return;
  if (!text.startsWith(every)) throw new ScheduleError(`Unrecognized descriptor: ${text}`);
  try {
    parseDuration(text.slice(every.length));
  } catch (error) {
    if (!(error instanceof DurationError)) throw error;
    throw new ScheduleError(`Failed to parse duration ${text}: ${error.message}`);
  }
}

/** `5`, `1-5`, `*`, each with an optional `/step`. */
function checkRange(range: string, field: Field): void {
  const [bounds = '', step, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreBounds] = bounds.split('-');
  let start = field.min;
  let end = field.max;
  if (low !== '*' && low !== '?') {
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
