import { showValue, typeName } from '../go-values/index.ts';
import { isList, isMap, sortedKeys, type Value } from './values.ts';

/** One `%...` of a format. */
interface Verb {
  readonly flags: string;
  readonly width: number | undefined;
  readonly precision: number | undefined;
  readonly letter: string;
}

/** The widest field: Go takes a wider one for a mistake. */
const maxWidth = 1e6;

/** As Go's `Sprintf`: what does not fit is shown in its place, such as `%!d(string=a)`. */
export function formatVerbs(format: string, args: readonly Value[]): string {
  let next = 0;
  const take = (): Value => args[next++];
  const number = (text: string | undefined): number | undefined => {
    const value = text === '*' ? Number(take()) : text === undefined ? undefined : Number(text);
    return value !== undefined && Math.abs(value) <= maxWidth ? value : undefined;
  };
  const text = format.replace(
    /%([-+# 0]*)(\d+|\*)?(?:\.(\d+|\*)?)?([\s\S]|$)/gu,
    (
      all: string,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      letter: string,
    ) => {
      if (letter === '%') return '%';
      if (letter === '') return '%!(NOVERB)';
      const hasDot = all.includes('.');
      const verb = {
        flags,
        width: number(width),
        precision: number(hasDot ? (precision ?? '0') : undefined),
        letter,
      };
      if (next >= args.length) return `%!${letter}(MISSING)`;
      return formatOne(verb, take());
    },
  );
  if (next >= args.length) return text;
  const extra = args
    .slice(next)
    .map((value) => (value == null ? '<nil>' : `${typeName(value)}=${showValue(value)}`));
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

function formatOne(verb: Verb, value: Value): string {
  const { letter } = verb;
  if (letter === 'T') return pad(verb, typeName(value));
  if (letter === 'v') return formatPlain(verb, value);
  if (value === undefined || value === null) return `%!${letter}(<nil>)`;
  // Verbs reach through lists and maps to what is in them.
  if (isList(value)) return `[${value.map((item) => formatOne(verb, item)).join(' ')}]`;
  if (isMap(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${formatOne(verb, key)}:${formatOne(verb, value[key])}`)
      .join(' ')}]`;
  }
  const shown = formatScalar(verb, value);
  return shown ?? `%!${letter}(${typeName(value)}=${showValue(value)})`;
}

function formatPlain(verb: Verb, value: Value): string {
  if (verb.flags.includes('#') && typeof value === 'string') return pad(verb, JSON.stringify(value));
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return isNumber ? padNumber(verb, showValue(value)) : pad(verb, showValue(value));
}

/** Undefined when the verb is none for this type. */
function formatScalar(verb: Verb, value: boolean | number | bigint | string): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return verb.letter === 't' ? pad(verb, String(value)) : undefined;
    case 'string':
      return formatText(verb, value);
    case 'bigint':
      return formatWhole(verb, value);
    default:
      return Number.isInteger(value) ? formatWhole(verb, BigInt(value)) : formatFloat(verb, value);
  }
}

function formatText(verb: Verb, text: string): string | undefined {
  const { letter, precision, flags } = verb;
  const cut = precision === undefined ? text : [...text].slice(0, precision).join('');
  if (letter === 's') return pad(verb, cut);
  if (letter === 'q')
    return pad(verb, flags.includes('#') && !cut.includes('`') ? `\`${cut}\`` : JSON.stringify(cut));
  if (letter !== 'x' && letter !== 'X') return undefined;
  const hex = Buffer.from(cut).toString('hex');
  return pad(verb, letter === 'X' ? hex.toUpperCase() : hex);
}

function formatWhole(verb: Verb, value: bigint): string | undefined {
  const { letter, flags } = verb;
  const size = value < 0n ? -value : value;
  const sign = value < 0n ? '-' : '';
  const prefixed = (prefix: string, digits: string) =>
    padNumber(verb, `${sign}${flags.includes('#') ? prefix : ''}${digits}`);
  switch (letter) {
    case 'd':
      return padNumber(verb, String(value));
    case 'b':
      return prefixed('0b', size.toString(2));
    case 'o':
      return prefixed('0', size.toString(8));
    case 'O':
      return padNumber(verb, `${sign}0o${size.toString(8)}`);
    case 'x':
      return prefixed('0x', size.toString(16));
    case 'X':
      return prefixed('0X', size.toString(16).toUpperCase());
    case 'c':
      return pad(verb, codePoint(value));
    case 'q':
      return pad(verb, `'${codePoint(value)}'`);
    case 'U':
      return pad(verb, `U+${size.toString(16).toUpperCase().padStart(4, '0')}`);
    default:
      return undefined;
  }
}

function codePoint(value: bigint): string {
  return value >= 0n && value <= 0x10ffffn ? String.fromCodePoint(Number(value)) : '\uFFFD';
}

function formatFloat(verb: Verb, value: number): string | undefined {
  const { letter, precision } = verb;
  const digits = Math.min(precision ?? 6, 100);
  if (letter === 'f' || letter === 'F') return padNumber(verb, value.toFixed(digits));
  if (letter === 'e' || letter === 'E') {
    const text = value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
    return padNumber(verb, letter === 'E' ? text.toUpperCase() : text);
  }
  if (letter !== 'g' && letter !== 'G') return undefined;
  return padNumber(
    verb,
    precision === undefined ? showValue(value) : String(Number(value.toPrecision(digits || 1))),
  );
}

function pad({ flags, width }: Verb, text: string): string {
  if (width === undefined) return text;
  const missing = ' '.repeat(Math.max(0, Math.abs(width) - [...text].length));
  return flags.includes('-') || width < 0 ? text + missing : missing + text;
}

/** As `pad`; with zeros, or a sign before what is not negative, when the flags say so. */
function padNumber(verb: Verb, text: string): string {
  const { flags, width = 0 } = verb;
  const lead = text.startsWith('-') ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const digits = text.replace(/^-/, '');
  if (!flags.includes('0') || flags.includes('-')) return pad(verb, lead + digits);
  return lead + digits.padStart(width - lead.length, '0');
}
