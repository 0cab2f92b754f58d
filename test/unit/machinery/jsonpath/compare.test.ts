import { expect } from 'chai';
import fc from 'fast-check';
import { rawNumber } from '../../../../src/base/index.ts';
import { compareSides, type Side } from '../../../../src/machinery/jsonpath/compare.ts';
import { parseTemplate } from '../../../../src/machinery/jsonpath/index.ts';
import { JsonPathError } from '../../../../src/machinery/jsonpath/syntax.ts';
import { anyCharacter } from '../../../support/any-character.ts';

/** What an object has. */
const found = (value: unknown): Side => ({ value, step: { kind: 'field', name: 'f' } });

/** What stands in the template. */
function written(text: string): Side {
  const [part] = parseTemplate(`{${text}}`);
  const step = part?.kind === 'action' ? part.steps[0] : undefined;
  if (step?.kind !== 'number') throw new Error(`no number: ${text}`);
  return { value: step.value, step };
}

const operators = ['==', '!=', '<', '<=', '>', '>='] as const;
/** The operators that hold, by how the sides stand to each other. */
const holding = { less: ['!=', '<', '<='], equal: ['==', '<=', '>='], greater: ['!=', '>', '>='] } as const;

describe('compareSides', () => {
  const rows: readonly (readonly [title: string, left: Side, order: keyof typeof holding, right: Side])[] = [
    ['small numbers', found(1), 'less', found(2)],
    ['numbers of several digits', found(10), 'greater', found(9)],
    ['negative numbers', found(-1), 'less', found(0)],
    ['one number', found(7), 'equal', written('7')],
    ['a number with its sign', found(7), 'equal', written('+7')],
    ['a number with leading zeros', found(7), 'equal', written('007')],
    ['fractions', found(1.5), 'less', found(2.5)],
    ['a fraction of the template', found(1.5), 'equal', written('1.5')],
    ['a whole fraction of the template', found(1.5), 'less', written('2.0')],
    ['integers of 64 bits', found(rawNumber('9007199254740993')), 'greater', found(9007199254740992)],
    [
      'the largest',
      found(rawNumber('9223372036854775807')),
      'greater',
      found(rawNumber('9223372036854775806')),
    ],
    ['alike large ones', found(rawNumber('9007199254740993')), 'equal', found(rawNumber('9007199254740993'))],
    [
      'large ones of the template',
      found(rawNumber('9007199254740993')),
      'equal',
      written('9007199254740993'),
    ],
    ['near large ones of the template', found(9007199254740992), 'less', written('9007199254740993')],
    ['negative large ones', found(rawNumber('-9007199254740993')), 'less', written('-9007199254740992')],
    [
      'the largest of the template',
      found(rawNumber('9223372036854775806')),
      'less',
      written('9223372036854775807'),
    ],
    ['texts', found('a'), 'less', found('b')],
    ['a text and a longer one', found('a'), 'less', found('aa')],
    ['no text', found(''), 'less', found(' ')],
    ['letters of two cases', found('Z'), 'less', found('a')],
    ['digits as text', found('10'), 'less', found('9')],
    ['alike texts', found('é'), 'equal', found('é')],
    ['texts that only look alike', found('é'), 'greater', found('e\u0301')],
    ['bytes of characters beyond 16 bits', found('\uff5e'), 'less', found('😀')],
  ];
  for (const [title, left, order, right] of rows) {
    it(`${title}: ${order}`, () => {
      const held = operators.filter((operator) => compareSides(left, operator, right));
      expect(held).to.deep.equal(holding[order]);
    });
  }

  it('tells truths apart but does not order them', () => {
    expect(compareSides(found(true), '==', found(true))).to.equal(true);
    expect(compareSides(found(true), '!=', found(false))).to.equal(true);
    for (const operator of ['<', '<=', '>', '>='])
      expect(() => compareSides(found(true), operator, found(false))).to.throw(
        JsonPathError,
        'invalid type for comparison',
      );
  });

  const strangers: readonly (readonly [title: string, left: Side, right: Side])[] = [
    ['a number and a text', found(1), found('1')],
    ['a truth and a text', found(true), found('true')],
    ['a whole number and a fraction', found(1), found(1.5)],
    ['a whole number and a whole fraction of the template', found(2), written('2.0')],
    // Beyond 64 bits a number is a fraction to the release.
    ['an integer and one beyond 64 bits', found(1), written('9223372036854775808')],
  ];
  for (const [title, left, right] of strangers) {
    it(`does not compare ${title}`, () => {
      for (const operator of operators)
        expect(() => compareSides(left, operator, right)).to.throw(
          JsonPathError,
          'incompatible types for comparison',
        );
    });
  }

  for (const value of [null, undefined, {}, [], [1], { a: 1 }]) {
    it(`compares nothing with ${JSON.stringify(value)}`, () => {
      for (const operator of operators) {
        for (const [left, right] of [
          [value, value],
          [value, 1],
          [1, value],
        ])
          expect(() => compareSides(found(left), operator, found(right))).to.throw(
            JsonPathError,
            'invalid type for comparison',
          );
      }
    });
  }

  for (const operator of ['', '=', '===', '<>', '!', 'exists', '=>']) {
    it(`does not know ${JSON.stringify(operator)}`, () =>
      expect(() => compareSides(found(1), operator, found(1))).to.throw(
        JsonPathError,
        `unrecognized filter operator ${operator}`,
      ));
  }

  it('orders texts as their bytes, and integers as they are, exactly one way', () => {
    const text = fc.string({ unit: anyCharacter });
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const sideOf = (value: bigint) =>
      found(Number.isSafeInteger(Number(value)) ? Number(value) : rawNumber(String(value)));
    const check = (left: Side, right: Side, order: number) => {
      const name = order < 0 ? 'less' : order > 0 ? 'greater' : 'equal';
      const held = operators.filter((operator) => compareSides(left, operator, right));
      expect(held.join()).to.equal(holding[name].join());
    };
    fc.assert(
      fc.property(text, text, (a, b) =>
        check(found(a), found(b), Buffer.compare(Buffer.from(a), Buffer.from(b))),
      ),
    );
    fc.assert(
      fc.property(integer, fc.bigInt({ min: -2n, max: 2n }), (a, step) => {
        const b = BigInt.asIntN(64, a + step);
        check(sideOf(a), sideOf(b), a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
