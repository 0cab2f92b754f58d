import { quoteGo } from '../errors/index.ts';
import { formatDouble } from '../go-values/index.ts';

/** One `%...` of a format. */
export interface Verb {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly letter: string;
}

/** Fills a field, with spaces or, from the right and where the flags say so, with zeros. */
export function pad({ flags, width }: Verb, text: string): string {
  if (width === undefined) return text;
  const isLeft = flags.includes('-');
  const filler = flags.includes('0') && !isLeft ? '0' : ' ';
  const missing = filler.repeat(Math.max(0, width - [...text].length));
  return isLeft ? text + missing : missing + text;
}

const padWithSpaces = (verb: Verb, text: string): string =>
  pad({ ...verb, flags: verb.flags.replaceAll('0', '') }, text);

/** A whole number as Go's `fmt` writes it; undefined when the verb is none for it. */
export function formatWhole(verb: Verb, value: bigint): string | undefined {
  const size = value < 0n ? -value : value;
  switch (verb.letter) {
    case 'd':
    case 'v':
      return withDigits(verb, value, size.toString());
    case 'b':
      return withDigits(verb, value, size.toString(2), '0b');
    case 'o':
      return withDigits(verb, value, size.toString(8), '0');
    case 'O':
      return withDigits({ ...verb, flags: `${verb.flags}#` }, value, size.toString(8), '0o');
    case 'x':
      return withDigits(verb, value, size.toString(16), '0x');
    case 'X':
      return withDigits(verb, value, size.toString(16).toUpperCase(), '0X');
    case 'c':
      return pad(verb, characterOf(value));
    case 'q':
      return pad(verb, quoteCharacter(characterOf(value)));
    case 'U':
      return padWithSpaces(verb, showCode(verb, value));
    default:
      return undefined;
  }
}

/** Sign, prefix and digits: as many as the precision wants, or as the width has room for when it is filled with zeros. */
function withDigits(verb: Verb, value: bigint, digits: string, prefix = ''): string {
  const { flags, width = 0, precision } = verb;
  if (precision === 0 && value === 0n) return padWithSpaces(verb, '');
  const sign = value < 0n ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const isFilled = flags.includes('0') && !flags.includes('-') && width > 0;
  const filled = digits.padStart(precision ?? (isFilled ? width - sign.length : 0), '0');
  const isMarked = flags.includes('#') && !(prefix === '0' && filled.startsWith('0'));
  return padWithSpaces(verb, `${sign}${isMarked ? prefix : ''}${filled}`);
}

function characterOf(value: bigint): string {
  return value >= 0n && value <= 0x10ffffn ? String.fromCodePoint(Number(value)).toWellFormed() : '\uFFFD';
}

/** As `strconv.QuoteRune`. */
function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  return character === '"' ? "'\"'" : `'${quoteGo(character).slice(1, -1)}'`;
}

function showCode({ flags, precision = 4 }: Verb, value: bigint): string {
  const code = BigInt.asUintN(64, value).toString(16).toUpperCase().padStart(Math.max(4, precision), '0');
  const character = characterOf(value);
  const isShown = flags.includes('#') && quoteGo(character) === `"${character}"`;
  return isShown ? `U+${code} '${character}'` : `U+${code}`;
}

/** A fraction as Go's `fmt` writes it; undefined when the verb is none for it. */
export function formatFloat(verb: Verb, value: number): string | undefined {
  const { letter, precision } = verb;
  const digits = Math.min(precision ?? 6, maxDigits);
  switch (letter) {
    case 'f':
    case 'F':
      return withSign(verb, withPoint(verb, toFixed(value, digits), 0));
    case 'e':
      return withSign(verb, withPoint(verb, toExponential(value, digits), 0));
    case 'E':
      return withSign(verb, withPoint(verb, toExponential(value, digits), 0).toUpperCase());
    case 'v':
    case 'g':
    case 'G': {
      const shortest = precision === undefined ? formatDouble(value) : toShortest(value, digits || 1);
      const text = letter === 'v' ? shortest : withPoint(verb, shortest, digits);
      return withSign(verb, letter === 'G' ? text.toUpperCase() : text);
    }
    default:
      return undefined;
  }
}

/** With the flag `#`: a point in any case, and so many digits that count. */
function withPoint({ flags }: Verb, text: string, digits: number): string {
  if (!flags.includes('#')) return text;
  const [, number = '', tail = ''] = /^([^eE]*)(.*)$/.exec(text) ?? [];
  const counted = /^-?0$/.test(number) ? 1 : number.replace(/^[-0.]*/, '').replace('.', '').length;
  const pointed = number.includes('.') ? number : `${number}.`;
  return pointed + '0'.repeat(Math.max(digits - counted, 0)) + tail;
}

/** So many digits the runtime writes. */
const maxDigits = 100;

/** Zeros come behind the sign. */
function withSign(verb: Verb, text: string): string {
  const { flags, width = 0 } = verb;
  const isNegative = text.startsWith('-');
  const plus = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const sign = isNegative ? '-' : plus;
  const digits = isNegative ? text.slice(1) : text;
  const isFilled = flags.includes('0') && !flags.includes('-') && width > 0;
  return pad(verb, sign + (isFilled ? digits.padStart(width - sign.length, '0') : digits));
}

/** Go takes the even one of two numbers that are as near; the runtime the larger one. */
function toFixed(value: number, digits: number): string {
  // The runtime writes larger ones with an exponent. They are whole.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
  return evenOf(value.toFixed(digits), value.toFixed(maxDigits), digits);
}

function toExponential(value: number, digits: number): string {
  const [rounded = '', power = ''] = value.toExponential(digits).split('e');
  const [exact = '', exactPower] = value.toExponential(maxDigits).split('e');
  const even = power === exactPower ? evenOf(rounded, exact, digits) : rounded;
  return `${even}e${power.slice(0, 1)}${power.slice(1).padStart(2, '0')}`;
}

/** `rounded`, or what is left of the exact digits when these are half way and the last one left is even. */
function evenOf(rounded: string, exact: string, digits: number): string {
  const point = exact.indexOf('.');
  const left = exact.slice(0, digits === 0 ? point : point + 1 + digits);
  const isHalf = /^50*$/.test(exact.slice(point + 1 + digits));
  return isHalf && /[02468]$/.test(left) ? left : rounded;
}

/** So many digits that count, without zeros at the end; with an exponent where that is shorter. */
function toShortest(value: number, precision: number): string {
  const [mantissa = '', power = ''] = toExponential(value, precision - 1).split('e');
  const exponent = Number(power);
  const digits = mantissa.replace(/[-.]/g, '').replace(/0+$/, '').length;
  if (exponent < -4 || exponent >= precision) {
    return `${mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa}e${power}`;
  }
  return Number(`${mantissa}e${power}`).toFixed(Math.max(0, digits - exponent - 1));
}
