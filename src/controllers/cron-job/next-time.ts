import type { CronSchedule } from '../../apis/batch/index.ts';

const secondMs = 1000;
const minuteMs = 60_000;
const hourMs = 3_600_000;

/** A schedule that no day fits in so many years never comes. Source: robfig/cron 1.1, `SpecSchedule.Next`. */
const maxYears = 5;

/** How far local time is ahead of UTC at a moment; both in milliseconds. */
export type ZoneOffset = (atMs: number) => number;

/** The zone of this process. */
export const localOffset: ZoneOffset = (atMs) => -new Date(atMs).getTimezoneOffset() * minuteMs;

/**
 * The first time of a schedule after a moment, in milliseconds; undefined when there is none in the next years. Pure. Times
 * that the clock skips are left out, or come an hour later; those that it repeats come twice.
 */
export function nextTime(schedule: CronSchedule, afterMs: number, zone: ZoneOffset): number | undefined {
  const afterSecondMs = Math.floor(afterMs / secondMs) * secondMs;
  if (schedule.kind === 'every') return afterSecondMs + schedule.delaySeconds * secondMs;
  const { minutes, hours, months } = schedule;
  // A field of commas alone: there is no use in going through the minutes of years.
  if (minutes.size === 0 || hours.size === 0) return undefined;
  const firstMs = afterSecondMs + secondMs;
  let time = new LocalTime(firstMs, zone);
  const lastYear = time.year + maxYears;
  while (time.year <= lastYear) {
    if (!months.has(time.month)) time = time.startOf(time.year, time.month + 1, 1);
    else if (!isDay(schedule, time)) time = time.startOf(time.year, time.month, time.day + 1);
    else if (!hours.has(time.hour)) time = time.at(nextMultiple(time, hourMs));
    else if (!minutes.has(time.minute)) time = time.at(nextMultiple(time, minuteMs));
    else if (time.second !== 0) time = time.at(nextMultiple(time, minuteMs));
    else return time.ms;
  }
  return undefined;
}

function isDay(
  { daysOfMonth, daysOfWeek, isEitherDay }: CronSchedule & { readonly kind: 'fields' },
  { day, weekday }: LocalTime,
): boolean {
  const [isOfMonth, isOfWeek] = [daysOfMonth.has(day), daysOfWeek.has(weekday)];
  return isEitherDay ? isOfMonth || isOfWeek : isOfMonth && isOfWeek;
}

/** The next moment at which the local clock shows a multiple of a unit. */
const nextMultiple = ({ ms, localMs }: LocalTime, unitMs: number): number =>
  ms + unitMs - (((localMs % unitMs) + unitMs) % unitMs);

/** A moment as the clock of a zone shows it. */
class LocalTime {
  readonly ms: number;
  readonly #zone: ZoneOffset;
  readonly #shown: Date;

  constructor(ms: number, zone: ZoneOffset) {
    this.ms = ms;
    this.#zone = zone;
    this.#shown = new Date(ms + zone(ms));
  }

  get localMs(): number {
    return this.#shown.getTime();
  }
  get year(): number {
    return this.#shown.getUTCFullYear();
  }
  /** From 1. */
  get month(): number {
    return this.#shown.getUTCMonth() + 1;
  }
  get day(): number {
    return this.#shown.getUTCDate();
  }
  get weekday(): number {
    return this.#shown.getUTCDay();
  }
  get hour(): number {
    return this.#shown.getUTCHours();
  }
  get minute(): number {
    return this.#shown.getUTCMinutes();
  }
  get second(): number {
    return this.#shown.getUTCSeconds();
  }

  at(ms: number): LocalTime {
    return new LocalTime(ms, this.#zone);
  }

  /** The first moment of a later day; months and days beyond the end run over into the next. */
  startOf(year: number, month: number, day: number): LocalTime {
    const shownMs = Date.UTC(year, month - 1, day);
    const ms = shownMs - this.#zone(shownMs - this.#zone(shownMs));
    const start = this.at(ms);
    // Where the clock skips midnight, the day begins later.
    return start.localMs < shownMs ? this.at(nextMultiple(start, hourMs)) : start;
  }
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

/** A moment as RFC 1123 with a numeric zone has it: `Mon, 02 Jan 2006 15:04:05 -0700`. */
export function formatRfc1123(ms: number, zone: ZoneOffset): string {
  const time = new LocalTime(ms, zone);
  const date = `${weekdays[time.weekday]}, ${two(time.day)} ${monthNames[time.month - 1]} ${time.year}`;
  const minutes = Math.abs(zone(ms)) / minuteMs;
  const offset = `${zone(ms) < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
  return `${date} ${two(time.hour)}:${two(time.minute)}:${two(time.second)} ${offset}`;
}
