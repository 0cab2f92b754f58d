/** Text that is no time; the message is metav1.Time's. */
export class TimeError extends Error {
  override readonly name = 'TimeError';
}

const secondsLayout = '2006-01-02T15:04:05Z07:00';
const microsLayout = '2006-01-02T15:04:05.000000Z07:00';

interface Step {
  /** How the layout names this part. */
  readonly name: string;
  readonly pattern: RegExp;
  /** What is taken all the same where the pattern does not match: messages show what comes behind. */
  readonly taken?: RegExp;
  /** What messages call a number out of range, which is looked at as soon as it is read. */
  readonly range?: readonly [what: string, least: number, most: number];
}

const digits2 = /^\d\d/;
const steps: readonly Step[] = [
  { name: '2006', pattern: /^\d{4}/, taken: /^\d[\s\S]{3}/ },
  { name: '-', pattern: /^-/ },
  { name: '01', pattern: digits2, range: ['month', 1, 12] },
  { name: '-', pattern: /^-/ },
  { name: '02', pattern: digits2 },
  { name: 'T', pattern: /^T/ },
  { name: '15', pattern: /^\d\d?/, range: ['hour', 0, 23] },
  { name: ':', pattern: /^:/ },
  { name: '04', pattern: digits2, range: ['minute', 0, 59] },
  { name: ':', pattern: /^:/ },
  { name: '05', pattern: digits2, range: ['second', 0, 59] },
];
const optionalFraction = /^[.,]\d+/;
const sixDigits = /^[.,]\d{6}/;
const zone: Step = { name: 'Z07:00', pattern: /^(?:Z|[+-]\d\d:\d\d)/, taken: /^[\s\S]{3}:[\s\S]{2}/ };

/** As Go's package `time` quotes: bytes beyond ASCII, and those that control something, by their numbers. */
const quote = (bytes: string): string =>
  `"${bytes
    .replace(/["\\]/g, '\\$&')
    .replace(/[^ -\x7f]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)}"`;

interface Moment {
  /** Whole seconds since 1970, may be negative. */
  readonly seconds: number;
  /** The digits of the fraction, at most nine. */
  readonly fraction: string;
}

function parseMoment(text: string, isMicro: boolean): Moment {
  const layout = isMicro ? microsLayout : secondsLayout;
  // One letter for each byte, as Go looks at texts.
  const bytes = Buffer.from(text).toString('latin1');
  let rest = bytes;
  const take = ({ name, pattern, taken }: Step): string => {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) {
      const left = rest.slice(taken?.exec(rest)?.[0].length ?? 0);
      throw new TimeError(
        `parsing time ${quote(bytes)} as "${layout}": cannot parse ${quote(left)} as "${name}"`,
      );
    }
    rest = rest.slice(found.length);
    return found;
  };
  const parts = steps.map((step) => {
    const part = take(step);
    if (step.range !== undefined) checkRange(bytes, Number(part), step.range);
    return part;
  });
  const fraction = isMicro
    ? take({ name: '.000000', pattern: sixDigits })
    : (optionalFraction.exec(rest)?.[0] ?? '');
  if (!isMicro) rest = rest.slice(fraction.length);
  const offset = take(zone);
  if (rest !== '') throw new TimeError(`parsing time ${quote(bytes)}: extra text: ${quote(rest)}`);
  const numbers = [0, 2, 4, 6, 8, 10].map((index) => Number(parts[index]));
  return { seconds: toSeconds(numbers, bytes) - offsetSeconds(offset), fraction: fraction.slice(1, 10) };
}

function checkRange(text: string, value: number, [what, least, most]: NonNullable<Step['range']>): void {
  if (value >= least && value <= most) return;
  throw new TimeError(`parsing time ${quote(text)}: ${what} out of range`);
}

function toSeconds(numbers: readonly number[], text: string): number {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  // How many days a month has depends on the year.
  checkRange(text, date.getUTCDate() === day ? day : 0, ['day', 1, 31]);
  return date.getTime() / 1000;
}

function offsetSeconds(offset: string): number {
  if (offset === 'Z') return 0;
  const size = Number(offset.slice(1, 3)) * 3600 + Number(offset.slice(4, 6)) * 60;
  return offset.startsWith('-') ? -size : size;
}

/** Seconds of year 1, January 1: the zero time, which is written as null. */
const zeroSeconds = -62_135_596_800;

/** Seconds of the years 0 and 10000: between them a year has four digits, and text can be read again. */
const [startSeconds, endSeconds] = [-62_167_219_200, 253_402_300_800];

function formatSeconds(seconds: number): string {
  if (!(seconds >= startSeconds && seconds < endSeconds)) {
    throw new TimeError('Time.MarshalJSON: year outside of range [0,9999]');
  }
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}

/** True for `YYYY-MM-DDTHH:MM:SSZ` of a day that every year has: such text is canonical without further checks. */
const plainTime =
  /^[12]\d{3}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/**
 * RFC 3339 text with any offset or fraction, as whole seconds in UTC; null for the zero time.
 *
 * @throws TimeError with metav1.Time's message.
 */
export function canonicalTime(text: string): string | null {
  if (plainTime.test(text)) return text;
  const { seconds, fraction } = parseMoment(text, false);
  return seconds === zeroSeconds && !/[1-9]/.test(fraction) ? null : `${formatSeconds(seconds)}Z`;
}

/**
 * A time as Go prints it, in UTC, with what there is of a fraction: `2020-01-02 03:04:05.5 +0000 UTC`.
 *
 * @throws TimeError.
 */
export function formatGoTime(text: string): string {
  const { seconds, fraction } = parseMoment(text, false);
  const digits = fraction.replace(/0+$/, '');
  return `${formatSeconds(seconds).replace('T', ' ')}${digits === '' ? '' : `.${digits}`} +0000 UTC`;
}

/**
 * RFC 3339 text with exactly six fraction digits, in UTC; null for the zero time.
 *
 * @throws TimeError with metav1.Time's message.
 */
export function canonicalMicroTime(text: string): string | null {
  const { seconds, fraction: micros } = parseMoment(text, true);
  if (seconds === zeroSeconds && micros === '000000') return null;
  return `${formatSeconds(seconds)}.${micros}Z`;
}

/** Milliseconds since 1970 as the API writes times: whole seconds (cut, not rounded), UTC. */
export function formatTime(epochMs: number): string {
  return `${formatSeconds(Math.floor(epochMs / 1000))}Z`;
}

/** Milliseconds since 1970 with six fraction digits, UTC. */
export function formatMicroTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 23)}000Z`;
}

/** Milliseconds since 1970 of RFC 3339 text. @throws TimeError. */
export function parseTime(text: string): number {
  if (plainTime.test(text)) return Date.parse(text);
  const { seconds, fraction } = parseMoment(text, false);
  return seconds * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
}
