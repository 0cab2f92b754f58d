import { rawNumber } from '../../../base/index.ts';
import { BodySyntaxError } from '../body-syntax-error.ts';

const tagHead = 'tag:yaml.org,2002:';
const longTag = (name: string): string => tagHead + name;

/** Tags whose texts mean something; all others leave a text as it is. */
const known = new Set(['', ...['str', 'bool', 'int', 'float', 'null', 'timestamp'].map(longTag)]);

interface Resolved {
  readonly type: 'str' | 'bool' | 'int' | 'float' | 'null' | 'timestamp';
  readonly value: unknown;
}

const words = new Map<string, Resolved>();
const addWords = (type: Resolved['type'], value: unknown, texts: string): void => {
  for (const text of texts.split(' ')) words.set(text, { type, value });
};
addWords('null', null, '~ null Null NULL');
addWords('null', null, '');
addWords('bool', true, 'y Y yes Yes YES true True TRUE on On ON');
addWords('bool', false, 'n N no No NO false False FALSE off Off OFF');
addWords('float', Number.NaN, '.nan .NaN .NAN');
addWords('float', Number.POSITIVE_INFINITY, '.inf .Inf .INF +.inf +.Inf +.INF');
addWords('float', Number.NEGATIVE_INFINITY, '-.inf -.Inf -.INF');

const integer = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|([1-9]\d*|0))$/;
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
/** Longer ones have more than 64 bits. Reading their digits costs more than their length. */
const longestInteger = 100;

/**
 * What a text without quotes, or one with a tag, means for go-yaml 2: YAML 1.1 with `0o` octals, without base 60. Timestamps stay
 * text. Integers beyond 53 bits are raw numbers.
 *
 * @throws BodySyntaxError for a text that its tag does not fit
 */
export function resolveScalar(tag: string, text: string): unknown {
  if (tag === longTag('binary')) return fromBase64(text);
  if (!known.has(tag) || tag === longTag('str')) return text;
  const { type, value } = resolve(tag, text);
  if (tag === '' || tag === longTag(type)) return value;
  if (tag === longTag('float') && type === 'int' && isSigned(value)) return Number(value);
  const wanted = `!!${tag.slice(tagHead.length)}`;
  throw new BodySyntaxError(`yaml: cannot decode !!${type} \`${text}\` as a ${wanted}`);
}

/** Larger ones than 63 bits have a type of their own. */
const isSigned = (value: unknown): boolean => Number(value) < 2 ** 63;

function resolve(tag: string, text: string): Resolved {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+.\d]/.test(text)) return { type: 'str', value: text };
  if (tag === longTag('timestamp') && isTimestamp(text)) return { type: 'timestamp', value: text };
  const plain = text.startsWith('.') ? text : text.replaceAll('_', '');
  const match = plain.length > longestInteger ? null : integer.exec(plain);
  const exact = match === null ? undefined : integerOf(match);
  if (exact !== undefined) return { type: 'int', value: exact };
  const double = float.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(double) ? { type: 'float', value: double } : { type: 'str', value: text };
}

/** Undefined for one beyond 64 bits, which is a double, or text where its digits are not decimal. */
function integerOf(match: RegExpExecArray): unknown {
  const [, sign, hex, binary, octal, decimal] = match;
  const size = BigInt(hex ? `0x${hex}` : binary ? `0b${binary}` : octal ? `0o${octal}` : (decimal ?? '0'));
  const value = sign === '-' ? -size : size;
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  if (value >= 2n ** 63n && sign === '+') return undefined;
  return value < 2n ** 64n && value >= -(2n ** 63n) ? rawNumber(String(value)) : undefined;
}

const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))|(?: (\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.\d+)?))?$/;

function isTimestamp(text: string): boolean {
  const [year = 0, month = 0, day = 0, ...clock] = (timestamp.exec(text) ?? []).slice(1).map(Number);
  const [hour = 0, minute = 0, second = 0] = clock.filter((part) => !Number.isNaN(part));
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return false;
  return day >= 1 && day <= new Date(Date.UTC(year === 0 ? 400 : year, month, 0)).getUTCDate();
}

const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

/** go-yaml 2 hands binary data on as a string of its bytes. */
function fromBase64(text: string): string {
  const digits = text.replace(/[\r\n]/g, '');
  if (!base64.test(digits)) throw new BodySyntaxError('yaml: !!binary value contains invalid base64 data');
  return Buffer.from(digits, 'base64').toString('utf8');
}
