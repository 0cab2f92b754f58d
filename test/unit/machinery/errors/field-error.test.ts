import { expect } from 'chai';
import fc from 'fast-check';
import {
  duplicate,
  FieldError,
  type FieldErrorKind,
  fieldPath,
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  quoteGo,
  required,
  tooLong,
  tooMany,
  VerbatimValue,
} from '../../../../src/machinery/errors/index.ts';

const at = fieldPath('spec', 'x');

describe('FieldError', () => {
  const rows: readonly (readonly [string, FieldError, string, string])[] = [
    ['a missing field', required(at), 'FieldValueRequired', 'spec.x: Required value'],
    [
      'a missing field with a hint',
      required(at, 'name or generateName is required'),
      'FieldValueRequired',
      'spec.x: Required value: name or generateName is required',
    ],
    [
      'a wrong value',
      invalidValue(at, 'A', 'must be lower case'),
      'FieldValueInvalid',
      'spec.x: Invalid value: "A": must be lower case',
    ],
    [
      'a field that may not be set',
      forbiddenField(at, 'may not be set'),
      'FieldValueForbidden',
      'spec.x: Forbidden: may not be set',
    ],
    ['a repeated value', duplicate(at, 'a'), 'FieldValueDuplicate', 'spec.x: Duplicate value: "a"'],
    ['a name of nothing', notFoundField(at, 'vol'), 'FieldValueNotFound', 'spec.x: Not found: "vol"'],
    [
      'a text that is too long, which is not repeated',
      tooLong(at, 'a'.repeat(100), 64),
      'FieldValueTooLong',
      'spec.x: Too long: must have at most 64 bytes',
    ],
    [
      'a list that is too long',
      tooMany(at, 12, 10),
      'FieldValueTooMany',
      'spec.x: Too many: 12: must have at most 10 items',
    ],
    [
      'a value outside an enumeration',
      notSupported(at, 'c', ['b', 'a']),
      'FieldValueNotSupported',
      'spec.x: Unsupported value: "c": supported values: "b", "a"',
    ],
    [
      'a value outside an empty enumeration',
      notSupported(at, 'c', []),
      'FieldValueNotSupported',
      'spec.x: Unsupported value: "c"',
    ],
    [
      'a mistake of the server',
      new FieldError('internal', at, 'secret', 'lost'),
      'InternalError',
      'spec.x: Internal error: lost',
    ],
  ];
  for (const [title, error, reason, text] of rows) {
    it(`${title} reads "${text}"`, () => {
      expect(error.toString()).to.equal(text);
      expect(error.body).to.equal(text.slice('spec.x: '.length));
      expect(error.reason).to.equal(reason);
    });
  }

  const values: readonly (readonly [unknown, string])[] = [
    ['a"b', '"a\\"b"'],
    ['', '""'],
    [5, '5'],
    [-0.5, '-0.5'],
    [true, 'true'],
    [9007199254740993n, '9007199254740993'],
    [null, '"null"'],
    [undefined, '"null"'],
    [new VerbatimValue('1500m'), '1500m'],
    [{ a: [1] }, '{"a":[1]}'],
  ];
  for (const [value, shown] of values) {
    it(`shows the value as ${shown}`, () => {
      expect(invalidValue(at, value, '').body).to.equal(`Invalid value: ${shown}`);
    });
  }

  it('shows the value only where the kind of error has one', () => {
    const silent: readonly FieldErrorKind[] = ['required', 'forbidden', 'tooLong', 'internal'];
    for (const kind of silent) expect(new FieldError(kind, at, 'secret', '').body).to.not.include('secret');
  });
});

describe('quoteGo', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['', ''],
    ['plain ASCII ~', 'plain ASCII ~'],
    ['"', '\\"'],
    ['\\', '\\\\'],
    ["'", "'"],
    ['\u0007\b\f\n\r\t\v', '\\a\\b\\f\\n\\r\\t\\v'],
    ['\u0000\u001b', '\\x00\\x1b'],
    ['\u007f', '\\x7f'],
    ['\u0085', '\\u0085'],
    ['é€', 'é€'],
    ['😀', '😀'],
    // Of all kinds of space only U+0020 counts as printable.
    ['\u00a0', '\\u00a0'],
    ['\u2028\u2029', '\\u2028\\u2029'],
    ['\u3000', '\\u3000'],
    ['\u200b', '\\u200b'],
    ['\ufeff', '\\ufeff'],
    ['\ue000', '\\ue000'],
    ['\u{e0001}', '\\U000e0001'],
    ['e\u0301', 'e\u0301'],
  ];
  for (const [text, body] of rows) {
    it(`writes ${JSON.stringify(text)} as "${body}"`, () => expect(quoteGo(text)).to.equal(`"${body}"`));
  }

  it('can be read back, and holds nothing that would break a line or hide', () => {
    const unquote = (quoted: string): string =>
      quoted.slice(1, -1).replace(/\\(?:x(..)|u(.{4})|U(.{8})|(.))/gs, (_, x, u, long, c) => {
        const digits: string | undefined = x ?? u ?? long;
        if (digits !== undefined) return String.fromCodePoint(Number.parseInt(digits, 16));
        return { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }[String(c)] ?? String(c);
      });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const quoted = quoteGo(text);
        expect(quoted).to.not.match(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(unquote(quoted)).to.equal(text);
      }),
    );
  });
});
