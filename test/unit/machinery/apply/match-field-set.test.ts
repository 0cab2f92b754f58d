import { expect } from 'chai';
import fc from 'fast-check';
import {
  createFieldSetBuilder,
  emptyFieldSet,
  equalFieldSets,
  fieldSetOf,
} from '../../../../src/machinery/apply/fieldpath/field-set.ts';
import { serializeFieldSet } from '../../../../src/machinery/apply/fieldpath/fields-v1.ts';
import { matchFieldSet } from '../../../../src/machinery/apply/fieldpath/match-field-set.ts';
import type { FieldPathElements } from '../../../../src/machinery/apply/fieldpath/path-element.ts';

const path = fc.array(fc.constantFrom('f:a', 'f:b', 'f:c', 'v:1'), { minLength: 1, maxLength: 4 });
const paths = fc.uniqueArray(path, { maxLength: 8, selector: (steps) => steps.join() });

const matches = (expected: readonly FieldPathElements[], found: readonly FieldPathElements[]): boolean => {
  const matcher = matchFieldSet(fieldSetOf(...expected));
  for (const steps of found) matcher.insert(steps);
  return matcher.isComplete();
};

describe('matchFieldSet', () => {
  const rows: readonly (readonly [string, readonly string[][], readonly string[][], boolean])[] = [
    ['nothing is nothing', [], [], true],
    ['a path that is missing', [['f:a']], [], false],
    ['a path too many', [], [['f:a']], false],
    ['another path', [['f:a']], [['f:b']], false],
    ['a path that only leads to one', [['f:a', 'f:b']], [['f:a']], false],
    ['a path below one', [['f:a']], [['f:a', 'f:b']], false],
    ['another order', [['f:a'], ['f:b', 'f:c']], [['f:b', 'f:c'], ['f:a']], true],
    ['the empty path, which nobody owns', [['f:a']], [[], ['f:a']], true],
    ['one more after a wrong one', [['f:a']], [['f:x', 'f:y'], ['f:a']], false],
  ];
  for (const [title, expected, found, wanted] of rows) {
    it(`${title}: ${wanted}`, () => expect(matches(expected, found)).to.equal(wanted));
  }

  it('says what building the set and comparing it would', () => {
    fc.assert(
      fc.property(paths, paths, (expected, found) => {
        const isEqual = equalFieldSets(fieldSetOf(...expected), fieldSetOf(...found));
        expect(matches(expected, found)).to.equal(isEqual);
        expect(matches(expected, expected.toReversed())).to.equal(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('FieldSetBuilder', () => {
  it('makes the same set whatever the order of paths', () => {
    fc.assert(
      fc.property(paths, fc.infiniteStream(fc.nat()), (list, order) => {
        const shuffled = list
          .map((steps) => ({ steps, place: order.next().value ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ steps }) => steps);
        expect(equalFieldSets(fieldSetOf(...list), fieldSetOf(...shuffled))).to.equal(true);
      }),
    );
  });

  it('takes a path that the caller changes afterwards', () => {
    const builder = createFieldSetBuilder();
    const steps = ['f:a', 'f:b'];
    builder.insert(steps);
    steps[0] = 'f:x';
    steps.push('f:c');
    builder.insert(steps);
    expect(serializeFieldSet(builder.build())).to.deep.equal({
      'f:a': { 'f:b': {} },
      'f:x': { 'f:b': { 'f:c': {} } },
    });
  });

  it('is the empty set when nothing came', () => {
    expect(createFieldSetBuilder().build()).to.equal(emptyFieldSet);
  });
});

describe('serializeFieldSet', () => {
  it('gives the same value for the same set again', () => {
    const set = fieldSetOf(['f:a', 'f:b']);
    expect(serializeFieldSet(set)).to.equal(serializeFieldSet(set));
  });
});
