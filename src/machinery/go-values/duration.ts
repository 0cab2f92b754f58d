import { quoteGo } from '../errors/field-error.ts';

/** Text that is no duration; the message is time.ParseDuration's. */
export class DurationError extends Error {
  override readonly name = 'DurationError';
}

const unitNanos: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const maxNanos = 2n ** 63n - 1n;
const leadingZeros = /^0+/;
const part = /(\d*)(?:\.(\d*))?([^\d.]*)/y;

/**
 * Nanoseconds of Go duration text (`1h2m3.5s`, `-1.5h`, `300ms`, `0`).
 *
 * @throws DurationError with time.ParseDuration's message.
 */
export function parseDuration(text: string): bigint {
  const isNegative = text.startsWith('-');
  const body = isNegative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') throw new DurationError(`time: invalid duration ${quoteGo(text)}`);
  let total = 0n;
  part.lastIndex = 0;
  while (part.lastIndex < body.length) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(body) ?? [];
    total += partNanos({ whole, fraction, unit, text });
    if (total > maxNanos) throw new DurationError(`time: invalid duration ${quoteGo(text)}`);
  }
  return isNegative ? -total : total;
}

interface Part {
  readonly whole: string;
  readonly fraction: string;
  readonly unit: string;
  readonly text: string;
}

function partNanos({ whole, fraction, unit, text }: Part): bigint {
  if (whole === '' && fraction === '') throw new DurationError(`time: invalid duration ${quoteGo(text)}`);
  if (unit === '') throw new DurationError(`time: missing unit in duration ${quoteGo(text)}`);
  const nanos = Object.hasOwn(unitNanos, unit) ? unitNanos[unit] : undefined;
  if (nanos === undefined) {
    throw new DurationError(`time: unknown unit ${quoteGo(unit)} in duration ${quoteGo(text)}`);
  }
  const digits = whole.replace(leadingZeros, '');
  if (digits.length > 20) throw new DurationError(`time: invalid duration ${quoteGo(text)}`);
  return BigInt(digits === '' ? '0' : digits) * nanos + fractionNanos(fraction, Number(nanos));
}

/** As many of the digits as 64 bits hold, of which Go makes nanoseconds by doubles. */
function fractionNanos(fraction: string, nanos: number): bigint {
  let digits = 0n;
  let scale = 1;
  for (const digit of fraction) {
    const next = digits * 10n + BigInt(digit);
    if (next > maxNanos) break;
    digits = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(digits) * (nanos / scale)));
}

/** Go duration text of nanoseconds: `1h2m3.5s`, `1.5ms`, `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size < 1000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1000n)}µs`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

/** As `parseDuration`, in milliseconds with their fractions. @throws DurationError */
export function parseDurationMs(text: string): number {
  return Number(parseDuration(text)) / 1e6;
}

/** As `formatDuration`, of milliseconds, rounded to nanoseconds. */
export function formatDurationMs(durationMs: number): string {
  return formatDuration(BigInt(Math.round(durationMs * 1e6)));
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = String(value % unit)
    .padStart(String(unit).length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(value / unit) : `${value / unit}.${fraction}`;
}
