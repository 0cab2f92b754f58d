import { isRawNumber } from '../../base/index.ts';

/** Where a scalar stands. */
export interface ScalarPlace {
  /** Column at which it starts. */
  readonly column: number;
  /** Column of its further lines. */
  readonly indent: number;
  /** Keys stay on one line. */
  readonly isKey: boolean;
}

/** Lines are folded at the first blank beyond this column. */
const width = 80;

/** Bytes of the longest key that may stand before its colon. */
const maxSimpleKeyBytes = 128;

/** Whether a key may stand before its colon: a long one, or one of several lines, needs the explicit form. */
export const isSimpleKey = (key: string): boolean =>
  Buffer.byteLength(key) <= maxSimpleKeyBytes && !/[\n\r\u0085\u2028\u2029]/.test(key);

/** A scalar as YAML, in the first of the plain, literal, single- and double-quoted styles that can hold it. */
export function emitScalar(value: unknown, place: ScalarPlace): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return formatNumber(value);
  if (isRawNumber(value)) return formatDigits(value.rawJSON);
  if (typeof value !== 'string') return String(value);
  const shape = analyze(value);
  if (value.includes('\n'))
    return shape.allowsBlock && !place.isKey ? emitLiteral(value, place) : emitDouble(value, place);
  if (looksLikeOtherType(value)) return emitDouble(value, place);
  if (shape.allowsPlain && !(value === '' && place.isKey)) return foldPlain(value, place);
  return shape.allowsSingle ? emitSingle(value, place) : emitDouble(value, place);
}

const words = new Set([
  '',
  '~',
  'null',
  'Null',
  'NULL',
  '.nan',
  '.NaN',
  '.NAN',
  ...['', '+', '-'].flatMap((sign) => ['.inf', '.Inf', '.INF'].map((word) => sign + word)),
  ...'y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF'.split(' '),
]);
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const integer = /^[-+]?(?:0[xX][\da-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|\d+)$/;
const base60 = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const timestamp =
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]|[ ])\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Text that a reader would take for a number, a boolean, null or a time. */
function looksLikeOtherType(text: string): boolean {
  if (words.has(text)) return true;
  if (!/^[-+.\d]/.test(text)) return false;
  const bare = text.replaceAll('_', '');
  return float.test(bare) || integer.test(bare) || base60.test(text) || timestamp.test(text);
}

interface Shape {
  readonly allowsPlain: boolean;
  readonly allowsSingle: boolean;
  readonly allowsBlock: boolean;
}

const firstIndicators = /^(?:[#,[\]{}&*!|>'"%@`]|---|\.\.\.|[?:-](?: |$))/;
const innerIndicators = /:(?: |$)|[ \n\u2028\u2029]#/;
/** Ends of lines that may be printed as they are. */
const breaks = /[\n\u2028\u2029]/;
const unprintable = /[^\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\ud800-\udfff]/;

/** What go-yaml's emitter allows for a text (its `analyze_scalar`), outside flow collections. */
function analyze(text: string): Shape {
  const isSpecial = unprintable.test(text) || / [\n\u2028\u2029]/.test(text);
  const hasBreakSpace = /[\n\u2028\u2029] /.test(text);
  const hasOuterBlank = /^ | $/.test(text);
  const hasIndicator = firstIndicators.test(text) || innerIndicators.test(text);
  return {
    allowsPlain: !isSpecial && !hasOuterBlank && !hasIndicator && !breaks.test(text),
    allowsSingle: !isSpecial && !hasBreakSpace,
    allowsBlock: !isSpecial && !text.endsWith(' '),
  };
}

function emitLiteral(text: string, { indent }: ScalarPlace): string {
  const hint = /^[ \n\u2028\u2029]/.test(text) ? '2' : '';
  const [end = ''] = /[\n\u2028\u2029]{0,2}$/.exec(text) ?? [];
  const chomp = end === '' ? '-' : end.length === 2 || end === text ? '+' : '';
  // Each line that has something begins with the indentation.
  const lines = text.replace(/(^|[\n\u2028\u2029])(?=[^\n\u2028\u2029])/g, `$1${' '.repeat(indent)}`);
  return `|${hint}${chomp}\n${lines}`;
}

function emitSingle(text: string, place: ScalarPlace): string {
  return `'${fold(text.replaceAll("'", "''"), { ...place, column: place.column + 1 }, true)}'`;
}

function foldPlain(text: string, place: ScalarPlace): string {
  return fold(text, place, false);
}

/** Breaks lines at single blanks beyond the width; `keepsEnds` leaves blanks at both ends alone. */
function fold(text: string, { column, indent, isKey }: ScalarPlace, keepsEnds: boolean): string {
  if (isKey || (column + text.length <= width && !breaks.test(text))) return text;
  let out = '';
  let at = column;
  const characters = [...text];
  characters.forEach((character, index) => {
    const isInner = !keepsEnds || (index > 0 && index < characters.length - 1);
    const isLoneBlank = character === ' ' && characters[index - 1] !== ' ' && characters[index + 1] !== ' ';
    if (isLoneBlank && isInner && at > width) {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      out += character;
      at++;
    }
    const next = characters[index + 1] ?? '';
    if (breaks.test(character) && /[^\n\u2028\u2029]/.test(next)) {
      out += ' '.repeat(indent);
      at = indent;
    }
  });
  return out;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function emitDouble(text: string, { column, indent, isKey }: ScalarPlace): string {
  let out = '"';
  let at = column + 1;
  const characters = [...text];
  characters.forEach((character, index) => {
    const mayBreak = !isKey && index > 0 && index < characters.length - 1 && characters[index - 1] !== ' ';
    if (character === ' ' && mayBreak && at > width) {
      out += `\n${' '.repeat(indent)}${characters[index + 1] === ' ' ? '\\' : ''}`;
      at = indent;
      return;
    }
    const shown = escapeCharacter(character);
    out += shown;
    at += shown.length;
  });
  return `${out}"`;
}

function escapeCharacter(character: string): string {
  const known = escapes[character];
  if (known !== undefined) return known;
  if (!unprintable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Numbers as Go prints them: 64-bit integers in full, other numbers short, with an exponent from a million on. */
function formatNumber(value: number): string {
  if (Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 64) return BigInt(value).toString();
  const short = value.toExponential();
  const exponent = Number(short.slice(short.indexOf('e') + 1));
  if (exponent >= -4 && exponent < 6) return String(value);
  return short.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Digits of the longest 64-bit integer, a sign included. */
const longestInteger = 20;

/** Whole numbers that a double cannot hold: what fits 64 bits keeps its digits. */
function formatDigits(digits: string): string {
  if (digits.length > longestInteger) return formatNumber(Number(digits));
  const size = BigInt(digits);
  return size >= -(2n ** 63n) && size < 2n ** 64n ? digits : formatNumber(Number(digits));
}
