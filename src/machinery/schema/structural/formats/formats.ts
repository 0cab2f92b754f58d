/** Formats of text that schemas may name, as release 1.20 checks them (go-openapi/strfmt). All take linear time. */

import { parseCidr, parseIp } from '../../../formats/index.ts';
import { parseDuration } from '../../../go-values/index.ts';
import { isCreditCard, isIsbn10, isIsbn13, isRequestUri } from './computed-formats.ts';
import { isEmail } from './email.ts';

/** Whether a text is of a format. */
export type FormatCheck = (text: string) => boolean;

/**
 * The check of a format; undefined for those that release 1.20 ignores, `int32` and `double` among them. Dashes in the name
 * do not count.
 */
export const formatCheck = (format: string): FormatCheck | undefined =>
  checks.get(format.replaceAll('-', ''));

/** A check by an expression that needs no more than one look at each character. */
const matches =
  (expression: RegExp): FormatCheck =>
  (text) =>
    expression.test(text);

const uuid = (third: string, fourth: string): FormatCheck =>
  matches(
    new RegExp(
      `^[0-9a-f]{8}-?[0-9a-f]{4}-?${third}[0-9a-f]{${third === '' ? 4 : 3}}-?${fourth}[0-9a-f]{${fourth === '' ? 4 : 3}}-?[0-9a-f]{12}$`,
      'i',
    ),
  );
const byte = '(?:0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])';
const space = '[\\t\\n\\f\\r ]*';

const checks: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ['bsonobjectid', matches(/^[0-9a-fA-F]{24}$/)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && parseIp(text) !== undefined],
  ['ipv6', (text) => text.includes(':') && parseIp(text) !== undefined],
  ['cidr', (text) => parseCidr(text) !== undefined],
  ['mac', isHardwareAddress],
  ['uuid', uuid('', '')],
  ['uuid3', uuid('3', '')],
  ['uuid4', uuid('4', '[89ab]')],
  ['uuid5', uuid('5', '[89ab]')],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => text.length === 11 && /^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$/.test(text)],
  ['hexcolor', matches(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  [
    'rgbcolor',
    matches(new RegExp(`^rgb\\(${space}${byte}${space},${space}${byte}${space},${space}${byte}${space}\\)$`)),
  ],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
]);

/** Labels of letters, digits and symbols of any script with dashes inside; the last of several is of letters. */
const label = '[a-zA-Z0-9\\p{S}\\p{L}](?:[a-zA-Z0-9\\-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?';
const single = /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]{0,62}$/u;
const inner = new RegExp(`^${label}$`, 'u');
const last = /^[a-zA-Z\p{L}]{2,63}$/u;

function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255) return false;
  const labels = text.split('.');
  if (labels.some((each) => Buffer.byteLength(each) > 63)) return false;
  // A dash right behind the first letter or digit of a single label may be the last, too: so release 1.20 has it.
  if (labels.length === 1) return single.test(text);
  return last.test(labels.at(-1) ?? '') && labels.slice(0, -1).every((each) => inner.test(each));
}

/** 6, 8 or 20 bytes: pairs of digits between colons or dashes, or groups of four between dots. */
function isHardwareAddress(text: string): boolean {
  if (text.length > 60) return false;
  const pairs = /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2}(?:\1[0-9a-fA-F]{2})*)$/.test(text);
  if (pairs) return [6, 8, 20].includes((text.length + 1) / 3);
  return /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4})+$/.test(text) && [14, 19, 49].includes(text.length);
}

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? [];
  if (year === undefined) return false;
  return (
    Number(month) >= 1 &&
    Number(month) <= 12 &&
    Number(day) >= 1 &&
    Number(day) <= daysOf(Number(year), Number(month))
  );
}

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const timePart = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u;

/** A date, a `t` of either case, a time, and its zone; what follows another `t` does not count. */
function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t', 2);
  if (time === undefined || !isDate(date)) return false;
  const [, hours = '', minutes = '', seconds = ''] = timePart.exec(time) ?? ['', '99'];
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

const units: readonly (readonly string[])[] = [
  ['ns', 'nano'],
  ['us', 'µs', 'micro'],
  ['ms', 'milli'],
  ['s', 'sec'],
  ['m', 'min'],
  ['h', 'hr', 'hour'],
  ['d', 'day'],
  ['w', 'wk', 'week'],
];
const leadingZeros = /^0+/;
/** Digits of a count that may be a duration; reading very many takes long. */
const longestCount = 19;
// Without the look behind, every digit of a long number would be tried as its first one.
const quantity = /(?<![0-9])([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)/g;

/** A duration of Go, or a text with a number and a unit somewhere in it (`22 nanoseconds`, `in 3 days`). */
function isDuration(text: string): boolean {
  if (isGoDuration(text)) return true;
  let hasUnit = false;
  for (const [, count = '', unit = ''] of text.matchAll(quantity)) {
    const digits = count.replace(leadingZeros, '');
    if (digits.length > longestCount || BigInt(digits) >= 2n ** 63n) return false;
    hasUnit ||= isUnit(unit.toLowerCase());
  }
  return hasUnit;
}

const isUnit = (unit: string): boolean =>
  units.some((names) => names.includes(unit) || unit.startsWith(names.at(-1) ?? ''));

/** What reads as a duration has this form. Most texts have not, and an exception costs more than all else here. */
const goDuration = /^[-+]?(?:0|(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[nu\u00b5\u03bcm]?s|[mh]))+)$/;

function isGoDuration(text: string): boolean {
  if (!goDuration.test(text)) return false;
  try {
    parseDuration(text);
    return true;
  } catch {
    // Whatever does not read is none.
    return false;
  }
}
