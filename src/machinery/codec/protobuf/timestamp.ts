import { canonicalMicroTime, canonicalTime } from '../../values/index.ts';

/** Seconds of year 1, January 1: the zero time, which is written as null. */
export const zeroTimeSeconds = -62_135_596_800;
/** First second of the year 10000, which JSON cannot write. */
const endSeconds = 253_402_300_800;
const startSeconds = -62_167_219_200;
const secondsPerDay = 86_400;
const daysPerEra = 146_097;
/** Days from March 1 of year 0 to 1970. */
const epochDays = 719_468;

const secondsText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const microsText = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

function pair(text: string, at: number): number {
  return text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
}

/** Days since 1970 of a date of the Gregorian calendar, years 0 to 9999. */
function daysOf(year: number, month: number, day: number): number {
  // Years are counted from March, so that the leap day is the last of its year.
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysPerEra + dayOfEra - epochDays;
}

function secondsOf(text: string): number {
  const days = daysOf(pair(text, 0) * 100 + pair(text, 2), pair(text, 5), pair(text, 8));
  return days * secondsPerDay + pair(text, 11) * 3600 + pair(text, 14) * 60 + pair(text, 17);
}

/** Whole seconds since 1970 of a time in the API's text form. @throws TimeError when it is none. */
export function parseSeconds(text: string): number {
  if (secondsText.test(text)) return secondsOf(text);
  const canonical = canonicalTime(text);
  return canonical === null ? zeroTimeSeconds : secondsOf(canonical);
}

/** Whole seconds since 1970 and microseconds of a second. @throws TimeError when the text is no such time. */
export function parseMicroseconds(text: string): { seconds: number; micros: number } {
  const canonical = microsText.test(text) ? text : canonicalMicroTime(text);
  if (canonical === null) return { seconds: zeroTimeSeconds, micros: 0 };
  return { seconds: secondsOf(canonical), micros: Number(canonical.slice(20, 26)) };
}

const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));
// Every part of a date is below 100.
const two = (value: number): string => twoDigits[value] as string;

/** `2006-01-02T15:04:05` of seconds since 1970. @throws RangeError outside the years 0 to 9999. */
export function formatSeconds(seconds: number): string {
  if (!(seconds >= startSeconds && seconds < endSeconds)) {
    throw new RangeError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  const days = Math.floor(seconds / secondsPerDay);
  const second = seconds - days * secondsPerDay;
  const shifted = days + epochDays;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const leap = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leap) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const clock = `${two(Math.floor(second / 3600))}:${two(Math.floor(second / 60) % 60)}:${two(second % 60)}`;
  return `${two(Math.floor(year / 100))}${two(year % 100)}-${two(month)}-${two(day)}T${clock}`;
}
