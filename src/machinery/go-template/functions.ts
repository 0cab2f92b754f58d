import { escapeHtml, escapeQuery, isInteger, showValue, typeName } from '../go-values/index.ts';
import { base64Decode, escapeScript } from './escapes.ts';
import { formatVerbs } from './format-verbs.ts';
import { isList, isMap, isTrue, type Value } from './values.ts';

/** A function that cannot do what it was asked: the text that follows `error calling NAME:`. */
export class FunctionError extends Error {
  override readonly name = 'FunctionError';
}

/** A function of templates. */
export interface TemplateFunction {
  /** How many arguments it takes. */
  readonly least: number;
  readonly most?: number;
  /** The first argument must be text. */
  readonly takesTextFirst?: boolean;
  /** The others must have types of their own: what a field holds may be anything for Go (`interface {}`), whatever it is. */
  readonly takesNoFields?: boolean;
  /** `and` and `or`: the first argument with this truth is the value, and no other is looked at. */
  readonly stopsAt?: boolean;
  run(...args: readonly Value[]): Value;
}

/** Functions by name. */
export type FunctionTable = ReadonlyMap<string, TemplateFunction>;

const comparison = (decide: (order: number) => boolean): TemplateFunction => ({
  least: 2,
  most: 2,
  run: (left, right) => decide(compare(left, right)),
});
const ofAll = (run: (args: readonly Value[]) => Value): TemplateFunction => ({
  least: 0,
  run: (...args) => run(args),
});
/** The text that escaping functions work on: one text as it is, anything else as `print` shows it. */
const textOf = (args: readonly Value[]): string => {
  const [only] = args;
  if (args.length === 1 && typeof only === 'string') return only;
  return print(args.map((arg) => arg ?? '<no value>'));
};

/** The functions of Go's `text/template`, and the two that release 1.20's client adds. */
export const templateFunctions: FunctionTable = new Map<string, TemplateFunction>([
  ['and', { least: 1, stopsAt: false, run: () => undefined }],
  ['or', { least: 1, stopsAt: true, run: () => undefined }],
  ['not', { least: 1, most: 1, run: (value) => !isTrue(value) }],
  ['len', { least: 1, most: 1, run: lengthOf }],
  ['index', { least: 1, run: (base, ...keys) => keys.reduce(indexInto, checkIndexed(base)) }],
  ['slice', { least: 1, takesNoFields: true, run: slice }],
  ['print', ofAll(print)],
  ['println', ofAll((args) => `${args.map(showValue).join(' ')}\n`)],
  ['printf', { least: 1, takesTextFirst: true, run: (format, ...args) => formatVerbs(String(format), args) }],
  ['html', ofAll((args) => escapeHtml(textOf(args)))],
  ['js', ofAll((args) => escapeScript(textOf(args)))],
  ['urlquery', ofAll((args) => escapeQuery(textOf(args)))],
  ['call', { least: 1, run: callNothing }],
  ['eq', { least: 1, run: equalsAny }],
  ['ne', { least: 2, most: 2, run: (left, right) => !equals(left, right) }],
  ['lt', comparison((order) => order < 0)],
  ['le', comparison((order) => order <= 0)],
  ['gt', comparison((order) => order > 0)],
  ['ge', comparison((order) => order >= 0)],
  ['exists', { least: 1, run: exists }],
  ['base64decode', { least: 1, most: 1, takesTextFirst: true, run: decodeBase64 }],
]);

function decodeBase64(text: Value): Value {
  const decoded = base64Decode(String(text));
  if (typeof decoded === 'string') return decoded;
  throw new FunctionError(`base64 decode failed: illegal base64 data at input byte ${decoded}`);
}

/** No data holds functions. */
function callNothing(value: Value): never {
  throw new FunctionError(value == null ? 'call of nil' : `non-function of type ${typeName(value)}`);
}

function lengthOf(value: Value): Value {
  if (typeof value === 'string') return BigInt(Buffer.byteLength(value));
  if (isList(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(Object.keys(value).length);
  if (value === null) throw new FunctionError('len of nil pointer');
  throw new FunctionError(
    value === undefined
      ? 'reflect: call of reflect.Value.Type on zero Value'
      : `len of type ${typeName(value)}`,
  );
}

function checkIndexed(base: Value): Value {
  if (base == null) throw new FunctionError('index of untyped nil');
  return base;
}

function indexInto(base: Value, key: Value): Value {
  if (isMap(base)) {
    if (typeof key === 'string') return Object.hasOwn(base, key) ? base[key] : undefined;
    throw new FunctionError(
      key == null
        ? 'value is nil; should be of type string'
        : `value has type ${typeName(key)}; should be string`,
    );
  }
  if (base == null) throw new FunctionError('index of nil pointer');
  if (!isList(base) && typeof base !== 'string')
    throw new FunctionError(`can't index item of type ${typeName(base)}`);
  const letters = isList(base) ? base : [...Buffer.from(base)].map(BigInt);
  return letters[position(key, letters.length - 1)];
}

/** A whole number from 0 to `last`. */
function position(key: Value, last: number): number {
  if (typeof key !== 'bigint' && !(typeof key === 'number' && Number.isInteger(key))) {
    throw new FunctionError(
      key == null
        ? 'cannot index slice/array with nil'
        : `cannot index slice/array with type ${typeName(key)}`,
    );
  }
  if (key < 0 || key > last) throw new FunctionError(`index out of range: ${key}`);
  return Number(key);
}

function slice(base: Value, ...bounds: readonly Value[]): Value {
  if (base == null) throw new FunctionError('slice of untyped nil');
  if (bounds.length > 3) throw new FunctionError(`too many slice indexes: ${bounds.length}`);
  if (typeof base === 'string' && bounds.length === 3)
    throw new FunctionError('cannot 3-index slice a string');
  if (!isList(base) && typeof base !== 'string')
    throw new FunctionError(`can't slice item of type ${typeName(base)}`);
  const bytes = typeof base === 'string' ? Buffer.from(base) : base;
  const [start = 0, end = bytes.length] = bounds.map((bound) => position(bound, bytes.length));
  if (start > end) throw new FunctionError(`invalid slice index: ${start} > ${end}`);
  return Buffer.isBuffer(bytes) ? bytes.subarray(start, end).toString('utf8') : bytes.slice(start, end);
}

/** As Go's `Sprint`: a space between two values of which neither is text. */
function print(args: readonly Value[]): string {
  return args
    .map((arg, index) => {
      const isApart = index > 0 && typeof arg !== 'string' && typeof args[index - 1] !== 'string';
      return `${isApart ? ' ' : ''}${showValue(arg)}`;
    })
    .join('');
}

type Kind = 'bool' | 'int' | 'float' | 'string';

function kindOf(value: Value): Kind | undefined {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'bigint') return 'int';
  return typeof value === 'number' ? (isInteger(value) ? 'int' : 'float') : undefined;
}

function equalsAny(first: Value, ...others: readonly Value[]): Value {
  if (others.length === 0) throw new FunctionError('missing argument for comparison');
  return others.some((other) => equals(first, other));
}

function equals(left: Value, right: Value): boolean {
  if (left == null || right == null) return left == null && right == null;
  if (kindOf(left) !== kindOf(right)) throw new FunctionError('incompatible types for comparison');
  if (isMap(right) || isList(right))
    throw new FunctionError(`non-comparable type ${showValue(right)}: ${typeName(right)}`);
  // biome-ignore lint/suspicious/noDoubleEquals: numbers of the data and of the template are of two types
  return left == right;
}

function compare(left: Value, right: Value): number {
  const kinds = [kindOf(left), kindOf(right)];
  if (kinds.includes(undefined)) throw new FunctionError('invalid type for comparison');
  if (kinds[0] !== kinds[1]) throw new FunctionError('incompatible types for comparison');
  if (kinds[0] === 'bool') throw new FunctionError('invalid type for comparison');
  if (left == null || right == null) return 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether the fields and items that lead somewhere are there. */
function exists(base: Value, ...keys: readonly Value[]): Value {
  let value = base;
  for (const key of keys) {
    if (isMap(value) && typeof key === 'string' && Object.hasOwn(value, key)) value = value[key];
    else if (
      isList(value) &&
      (typeof key === 'bigint' || typeof key === 'number') &&
      Number(key) < value.length &&
      Number(key) >= 0
    )
      value = value[Number(key)];
    else return false;
  }
  // Without any that lead, there is nothing that could be missing.
  return keys.length === 0 || (value !== undefined && value !== null);
}
