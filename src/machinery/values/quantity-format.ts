import { pow10 } from './powers.ts';

/** How a quantity is written: `12M`, `12Mi` or `12e6`. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An exact amount: `unscaled × 10^scale`. Immutable; `scale` is between -9 and 1000. */
export interface Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** The text that it was read from, when resource.Quantity keeps it instead of the canonical one. */
  readonly text?: string | undefined;
}

const decimalNames = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const binaryNames = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/**
 * Canonical text: no fraction, the largest suffix that keeps the mantissa whole. Binary amounts that are
 * no whole number or lie between -1024 and 1024 are written with decimal suffixes.
 */
export function formatQuantityParts(quantity: Quantity): string {
  if (quantity.unscaled === 0n) return '0';
  if (quantity.format === 'BinarySI') {
    const whole = wholeNumber(quantity);
    if (whole !== undefined && (whole <= -1024n || whole >= 1024n)) return formatBinary(whole);
  }
  return formatDecimal(quantity);
}

function wholeNumber({ unscaled, scale }: Quantity): bigint | undefined {
  if (scale >= 0) return unscaled * pow10(scale);
  const divisor = pow10(-scale);
  return unscaled % divisor === 0n ? unscaled / divisor : undefined;
}

function formatBinary(whole: bigint): string {
  let mantissa = whole;
  let step = 0;
  while (step < binaryNames.length - 1 && mantissa % 1024n === 0n) {
    mantissa /= 1024n;
    step++;
  }
  return `${mantissa}${binaryNames[step]}`;
}

function formatDecimal({ unscaled, scale, format }: Quantity): string {
  let mantissa = unscaled;
  let exponent = scale;
  while (mantissa % 10n === 0n) {
    mantissa /= 10n;
    exponent++;
  }
  const excess = ((exponent % 3) + 3) % 3;
  mantissa *= pow10(excess);
  exponent -= excess;
  if (format === 'DecimalExponent') return exponent === 0 ? String(mantissa) : `${mantissa}e${exponent}`;
  // There is no suffix beyond E; the mantissa carries the rest.
  if (exponent > 18) return `${mantissa * pow10(exponent - 18)}E`;
  return `${mantissa}${decimalNames[exponent / 3 + 3]}`;
}
