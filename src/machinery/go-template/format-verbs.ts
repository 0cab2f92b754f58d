import { quoteGo } from '../errors/index.ts';
import { isInteger, showSyntax, showValue, typeName } from '../go-values/index.ts';
import { formatFloat, formatWhole, pad, type Verb } from './format-numbers.ts';
import { isList, isMap, sortedKeys, type Value } from './values.ts';

/** The widest field: Go takes a wider one for a mistake. */
const maxWidth = 1e6;

/** As Go's `Sprintf`: what does not fit is shown in its place, such as `%!d(string=a)`. Arguments have no numbers (`%[1]d`). */
export function formatVerbs(format: string, args: readonly Value[]): string {
  let next = 0;
  const take = (): Value => args[next++];
  const text = format.replace(
    /%([-+# 0]*)(\d+|\*)?(?:(\.)(\d+|\*)?)?([\s\S]|$)/gu,
    (_, flags: string, width?: string, dot?: string, precision?: string, letter = '') => {
      const wanted = width === '*' ? wholeNumber(take(), -maxWidth) : writtenNumber(width);
      const digits = precision === '*' ? wholeNumber(take(), 0) : writtenNumber(dot && (precision ?? '0'));
      const mistakes =
        (width === '*' && wanted === undefined ? '%!(BADWIDTH)' : '') +
        (precision === '*' && digits === undefined ? '%!(BADPREC)' : '');
      if (letter === '%') return `${mistakes}%`;
      if (letter === '') return `${mistakes}%!(NOVERB)`;
      if (next >= args.length) return `${mistakes}%!${letter}(MISSING)`;
      return mistakes + formatOne(verbOf(flags, wanted, digits, letter), take());
    },
  );
  if (next >= args.length) return text;
  const extra = args
    .slice(next)
    .map((value) => (value == null ? '<nil>' : `${typeName(value)}=${showValue(value)}`));
  return `${text}%!(EXTRA ${extra.join(', ')})`;
}

/** A negative width stands for the flag. */
const verbOf = (
  flags: string,
  width: number | undefined,
  precision: number | undefined,
  letter: string,
): Verb =>
  width !== undefined && width < 0
    ? { flags: `${flags}-`, width: -width, precision, letter }
    : { flags, width, precision, letter };

const writtenNumber = (text: string | undefined): number | undefined =>
  text === undefined || Number(text) > maxWidth ? undefined : Number(text);

/** An argument as width or precision; undefined when it cannot be one. */
function wholeNumber(value: Value, least: number): number | undefined {
  const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
  return isWhole && value >= least && value <= maxWidth ? Number(value) : undefined;
}

function formatOne(verb: Verb, value: Value): string {
  const { letter, flags } = verb;
  if (letter === 'T') return formatText({ ...verb, letter: 's' }, typeName(value)) ?? '';
  if (value === undefined || value === null)
    return letter === 'v' ? pad(verb, '<nil>') : `%!${letter}(<nil>)`;
  if (letter === 'v' && flags.includes('#') && typeof value === 'object') return showSyntax(value);
  // Verbs reach through lists and maps to what is in them.
  const formatPart = (part: Value): string => (part == null ? '<nil>' : formatOne(verb, part));
  if (isList(value)) return `[${value.map(formatPart).join(' ')}]`;
  if (isMap(value)) {
    return `map[${sortedKeys(value)
      .map((key) => `${formatOne(verb, key)}:${formatPart(value[key])}`)
      .join(' ')}]`;
  }
  const shown = formatScalar(verb, value);
  return shown ?? `%!${letter}(${typeName(value)}=${showAsIs(verb, value)})`;
}

/** What a verb is not for, with its flags, width and precision. */
function showAsIs(verb: Verb, value: boolean | number | bigint | string): string {
  if (typeof value === 'string') return formatText({ ...verb, letter: 's' }, value) ?? value;
  if (typeof value === 'boolean') return pad(verb, String(value));
  if (typeof value === 'bigint' || isInteger(value))
    return formatWhole({ ...verb, letter: 'd' }, BigInt(value)) ?? '';
  return formatFloat({ ...verb, letter: 'g' }, value) ?? '';
}

/** Undefined when the verb is none for this type. */
function formatScalar(verb: Verb, value: boolean | number | bigint | string): string | undefined {
  // A plus means something else there.
  const own = verb.letter === 'v' ? { ...verb, flags: verb.flags.replaceAll('+', '') } : verb;
  switch (typeof value) {
    case 'boolean':
      return verb.letter === 't' || verb.letter === 'v' ? pad(verb, String(value)) : undefined;
    case 'string':
      return formatText(verb, value);
    case 'bigint':
      return formatWhole(own, value);
    default:
      return isInteger(value) ? formatWhole(own, BigInt(value)) : formatFloat(own, value);
  }
}

function formatText(verb: Verb, text: string): string | undefined {
  const { letter, precision, flags } = verb;
  const cut = precision === undefined ? text : [...text].slice(0, precision).join('');
  switch (letter) {
    case 's':
      return pad(verb, cut);
    case 'v':
      return pad(verb, flags.includes('#') ? quoteGo(cut) : cut);
    case 'q':
      return pad(verb, flags.includes('#') && !unquotable.test(cut) ? `\`${cut}\`` : quoteGo(cut));
    case 'x':
      return pad(verb, showBytes(verb, text));
    case 'X':
      return pad(verb, showBytes(verb, text).toUpperCase());
    default:
      return undefined;
  }
}

/** What does not stand between back quotes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
const unquotable = /[\0-\x08\x0a-\x1f`\x7f\ufeff]/;

/** The bytes, of which the precision counts some; apart, and each with its prefix, where the flags say so. */
function showBytes({ flags, precision }: Verb, text: string): string {
  const hex = Buffer.from(text).subarray(0, precision).toString('hex');
  const prefix = flags.includes('#') && hex !== '' ? '0x' : '';
  return prefix + (flags.includes(' ') ? hex.replace(/..(?=.)/g, `$& ${prefix}`) : hex);
}
