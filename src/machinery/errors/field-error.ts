import type { FieldPath } from './field-path.ts';

/** Kinds of field error, with the texts and cause reasons of the public API. */
const kinds = {
  required: { text: 'Required value', reason: 'FieldValueRequired', showsValue: false },
  invalid: { text: 'Invalid value', reason: 'FieldValueInvalid', showsValue: true },
  notSupported: { text: 'Unsupported value', reason: 'FieldValueNotSupported', showsValue: true },
  forbidden: { text: 'Forbidden', reason: 'FieldValueForbidden', showsValue: false },
  duplicate: { text: 'Duplicate value', reason: 'FieldValueDuplicate', showsValue: true },
  notFound: { text: 'Not found', reason: 'FieldValueNotFound', showsValue: true },
  tooLong: { text: 'Too long', reason: 'FieldValueTooLong', showsValue: false },
  tooMany: { text: 'Too many', reason: 'FieldValueTooMany', showsValue: true },
  internal: { text: 'Internal error', reason: 'InternalError', showsValue: false },
} as const;

export type FieldErrorKind = keyof typeof kinds;

/** A value that is shown as it stands, without quotes: quantities, and apimachinery's rendering of structures. */
export class VerbatimValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** One thing wrong with one field. Validators gather these; `invalid` turns them into a Status. */
export class FieldError {
  readonly kind: FieldErrorKind;
  readonly path: FieldPath;
  readonly value: unknown;
  readonly detail: string;

  constructor(kind: FieldErrorKind, path: FieldPath, value: unknown, detail: string) {
    this.kind = kind;
    this.path = path;
    this.value = value;
    this.detail = detail;
  }

  /** `FieldValueInvalid` and the like: the reason of a status cause. */
  get reason(): string {
    return kinds[this.kind].reason;
  }

  /** The text without the path: `Invalid value: "x": must be ...`. */
  get body(): string {
    const { text, showsValue } = kinds[this.kind];
    const head = showsValue ? `${text}: ${formatValue(this.value)}` : text;
    return this.detail === '' ? head : `${head}: ${this.detail}`;
  }

  toString(): string {
    return `${this.path}: ${this.body}`;
  }
}

/** Values as Go's `%v` and `%q` print them, which is what clients see in messages. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined) return '"null"';
  if (typeof value === 'string') return quoteGo(value);
  if (value instanceof VerbatimValue) return value.text;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return JSON.stringify(value);
}

const namedEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
};
/** Quotes, backslashes and what is not printable: control and format characters, and every space but U+0020. */
const escaped = /["\\\p{C}]|(?! )\p{Z}/gu;

/**
 * Go's `%q` (`strconv.Quote`): double quotes, `\n`-style escapes, other unprintable characters as `\x..` in ASCII, else as
 * `\u....` or `\U........`.
 */
export function quoteGo(text: string): string {
  const body = text.replace(escaped, (c) => {
    const known = namedEscapes[c];
    if (known !== undefined) return known;
    const code = c.codePointAt(0) ?? 0;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${body}"`;
}

export const required = (path: FieldPath, detail = ''): FieldError =>
  new FieldError('required', path, '', detail);
export const invalidValue = (path: FieldPath, value: unknown, detail: string): FieldError =>
  new FieldError('invalid', path, value, detail);
export const forbiddenField = (path: FieldPath, detail: string): FieldError =>
  new FieldError('forbidden', path, '', detail);
export const duplicate = (path: FieldPath, value: unknown): FieldError =>
  new FieldError('duplicate', path, value, '');
export const notFoundField = (path: FieldPath, value: unknown): FieldError =>
  new FieldError('notFound', path, value, '');
/** Something that the check itself could not find out. */
export const internalFieldError = (path: FieldPath, detail: string): FieldError =>
  new FieldError('internal', path, '', detail);
export const tooLong = (path: FieldPath, value: unknown, maxLength: number): FieldError =>
  new FieldError('tooLong', path, value, `must have at most ${maxLength} bytes`);
export const tooMany = (path: FieldPath, actual: number, max: number): FieldError =>
  new FieldError('tooMany', path, actual, `must have at most ${max} items`);
/** `supported` is listed in the given order; without entries the list is left out. */
export const notSupported = (path: FieldPath, value: unknown, supported: readonly string[]): FieldError =>
  new FieldError(
    'notSupported',
    path,
    value,
    supported.length === 0 ? '' : `supported values: ${supported.map((s) => quoteGo(s)).join(', ')}`,
  );
