import { isRawNumber } from '../../../base/index.ts';
import { canonicalMicroTime, canonicalTime } from '../../values/index.ts';
import { expectWire, type FieldSink, readFields } from './fields.ts';
import type { ValueCodec } from './value-codec.ts';
import { wireBytes, wireVarint } from './wire.ts';

/** Tags of seconds and nanoseconds. */
const secondsTag = 0x08;
const nanosTag = 0x10;

interface TimeForm {
  parse(text: string): { seconds: number; micros: number };
  /** Null for the zero time. */
  format(seconds: number, nanos: number): string | null;
}

/** Message of seconds and nanoseconds, both always written; the zero time is an empty message. */
function timeCodec({ parse, format }: TimeForm): ValueCodec {
  // One reading at a time: a time holds no other message.
  let seconds = 0;
  let nanos = 0;
  const sink: FieldSink = {
    typeName: 'Timestamp',
    take(input, fieldNumber, wire) {
      if (fieldNumber > 2) return false;
      expectWire(wire, wireVarint, fieldNumber === 1 ? 'Seconds' : 'Nanos');
      if (fieldNumber === 1) {
        const value = input.int64();
        // So far away there is no year that could be written; rounding does not matter.
        seconds = isRawNumber(value) ? Number(value.rawJSON) : value;
      } else nanos = input.int32();
      return true;
    },
  };
  return {
    wire: wireBytes,
    shape: 'struct',
    write(out, value) {
      if (value === null || value === undefined) return out.varint(0);
      if (typeof value !== 'string') throw new TypeError(`encode in Protobuf: not a time: ${typeof value}`);
      const time = parse(value);
      if (time.seconds === zeroTimeSeconds && time.micros === 0) return out.varint(0);
      const before = out.size;
      out.varint(time.micros * 1000);
      out.byte(nanosTag);
      out.int64(time.seconds);
      out.byte(secondsTag);
      out.varint(out.size - before);
    },
    read(input, end) {
      if (input.at === end) return null;
      seconds = 0;
      nanos = 0;
      input.limit = end;
      readFields(input, sink);
      return format(seconds, nanos);
    },
    zero: () => null,
  };
}

/** A codec of times in whole seconds; nanoseconds are written as zero and not read. */
export function createTimeCodec(): ValueCodec {
  return timeCodec({
    parse: (text) => ({ seconds: parseSeconds(text), micros: 0 }),
    format: (seconds) => (seconds === zeroTimeSeconds ? null : `${formatSeconds(seconds)}Z`),
  });
}

/** A codec of times in microseconds. */
export function createMicroTimeCodec(): ValueCodec {
  return timeCodec({ parse: parseMicroseconds, format: formatMicros });
}

function formatMicros(seconds: number, nanos: number): string | null {
  // Cut toward zero, then carried into the seconds: the order of apimachinery's arithmetic.
  const cut = Math.trunc(nanos / 1000);
  const carried = Math.floor(cut / 1_000_000);
  const micros = cut - carried * 1_000_000;
  const whole = seconds + carried;
  if (whole === zeroTimeSeconds && micros === 0) return null;
  return `${formatSeconds(whole)}.${String(micros).padStart(6, '0')}Z`;
}

/** Seconds of year 1, January 1: the zero time, which is written as null. */
const zeroTimeSeconds = -62_135_596_800;
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
