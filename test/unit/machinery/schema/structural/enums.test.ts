import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../../src/base/index.ts';
import { fieldPath } from '../../../../../src/machinery/errors/index.ts';
import { enumRule } from '../../../../../src/machinery/schema/structural/enums.ts';
import { Effort, Findings } from '../../../../../src/machinery/schema/structural/findings.ts';

/** The errors of a value at `spec.f`. */
function errorsOf(allowed: readonly unknown[], value: unknown): string[] {
  const findings = new Findings(new Effort());
  enumRule(allowed)?.check(value, '.f', findings);
  return findings.errors(fieldPath('spec')).map(String);
}

describe('enumRule', () => {
  for (const values of [undefined, null, [], {}, 'a', 1]) {
    it(`there is none for ${JSON.stringify(values)}`, () => expect(enumRule(values)).to.equal(undefined));
  }

  const rows: readonly (readonly [
    title: string,
    allowed: readonly unknown[],
    taken: readonly unknown[],
    refused: readonly unknown[],
  ])[] = [
    ['texts', ['a', 'é', ''], ['a', 'é', ''], ['A', 'e\u0301', ' ', 'b', 1, true, null, ['a']]],
    [
      'texts that look like others',
      ['1', 'true', 'null'],
      ['1', 'true', 'null'],
      [1.5, true, false, null, 1],
    ],
    ['truths', [true], [true], [false, 'true', 1, null]],
    ['lists', [['a', 1]], [['a', 1]], [['a'], [1, 'a'], ['a', 1, 1], ['a', 1.5], 'a', []]],
    [
      'objects',
      [{ a: 1, b: [] }],
      [
        { a: 1, b: [] },
        { b: [], a: 1 },
      ],
      [{ a: 1 }, { a: 1, b: {} }, {}],
    ],
    ['objects of one name', [{ 'a":1,"b': 2 }], [{ 'a":1,"b': 2 }], [{ a: 1, b: 2 }]],
    ['empty ones', [[], {}], [[], {}], [[[]], [{}], { a: null }, null]],
    ['null within others', [[null], { a: null }], [[null], { a: null }], [[], {}, ['null']]],
    // Null is never one of the values, not even where it is named.
    ['null', [null, 'a'], ['a'], [null]],
    ['all kinds at once', ['a', 1, true, [1]], ['a', 1, true, [1]], ['b', 2, false, [2]]],
    ['integers', [1, -2, 0], [1, -2, 0, -0], [2, '1', true]],
    // Release 1.20 converts numbers to the type of an allowed value before it compares them once more.
    ['fractions for integers', [1, -2, 0], [1.5, 1.999, -2.5, 0.5, -0.5], [2.5, -1.5]],
    ['fractions', [1.5], [1.5], [1, 2, 1.25]],
    ['within lists and objects as they are', [[1], { a: 1 }], [[1], { a: 1 }], [[1.5], { a: 1.5 }]],
    [
      'integers of 64 bits',
      [rawNumber('9007199254740993')],
      [rawNumber('9007199254740993')],
      [9007199254740992, rawNumber('9007199254740995')],
    ],
    // Of doubles beyond 64 bits the conversion makes the smallest integer.
    ['doubles beyond 64 bits', [rawNumber('-9223372036854775808')], [1e20, -1e20, 1e300], [1e18, 0.5]],
    [
      'integers next to a double',
      [2 ** 63],
      [2 ** 63, rawNumber('9223372036854775807')],
      [rawNumber('9223372036854774783'), 0],
    ],
    // An integer becomes the character of that number.
    ['characters by their numbers', ['A', '😀'], [65, 0x1f600], [66, 65.5, [65]]],
    ['what is no character', ['\ufffd'], [-1, 0xd800, 0xdfff, 0x110000, 0xfffd], [0, 0xfffe]],
  ];
  for (const [title, allowed, taken, refused] of rows) {
    it(`tells ${title}`, () => {
      for (const value of taken) expect(errorsOf(allowed, value), JSON.stringify(value)).to.deep.equal([]);
      for (const value of refused)
        expect(errorsOf(allowed, value), JSON.stringify(value)).to.have.lengthOf(1);
    });
  }

  const texts: readonly (readonly [allowed: readonly unknown[], value: unknown, error: string])[] = [
    [['a', 'b'], 'c', 'spec.f: Unsupported value: "c": supported values: "a", "b"'],
    [['b', 'a'], '', 'spec.f: Unsupported value: "": supported values: "b", "a"'],
    [
      [1, true, [1], { a: 1 }],
      false,
      'spec.f: Unsupported value: false: supported values: "1", "true", "[1]", "{\\"a\\":1}"',
    ],
    [['a'], null, 'spec.f: Unsupported value: "null": supported values: "a"'],
    [['a'], 1.5, 'spec.f: Unsupported value: 1.5: supported values: "a"'],
    [['a'], ['b'], 'spec.f: Unsupported value: []interface {}{"b"}: supported values: "a"'],
    [['"'], '\n', 'spec.f: Unsupported value: "\\n": supported values: "\\""'],
  ];
  for (const [allowed, value, error] of texts) {
    it(`says ${error}`, () => expect(errorsOf(allowed, value)).to.deep.equal([error]));
  }

  it('takes each of its values but null, whatever the order of names', () => {
    const backwards = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(backwards);
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([name, each]) => [name, backwards(each)]),
      );
    };
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 5 }), (values) => {
        for (const value of values)
          expect(errorsOf(values, backwards(value))).to.have.lengthOf(value === null ? 1 : 0);
      }),
    );
  });

  it('ends with one error where the values or the object would take too long', () => {
    const tooLong = [
      'spec: Invalid value: "": the schema takes too long to check this object: both are too large for each other',
    ];
    const large = Array.from({ length: 200_000 }, (_, index) => index);
    expect(errorsOf([large], 1)).to.deep.equal(tooLong);
    expect(errorsOf([1], large)).to.deep.equal(tooLong);
    expect(errorsOf(Array(500_000).fill('a'), 'b')).to.deep.equal(tooLong);
    expect(errorsOf(Array(500_000).fill('a'), 'a')).to.deep.equal([]);
  });
});
