import { expect } from 'chai';
import fc from 'fast-check';
import {
  createLabelRequirement,
  createLabelSelector,
  everything,
  type LabelOperator,
  labelSelectorFromObject,
  labelSelectorFromSet,
  nothing,
  parseLabelSelector,
  SelectorError,
} from '../../../../src/machinery/selectors/index.ts';

describe('createLabelRequirement', () => {
  interface Row {
    readonly operator: LabelOperator;
    readonly values: readonly string[];
    readonly text: string;
    /** Values of the label that meet the condition; undefined stands for no label. */
    readonly meets: readonly (string | undefined)[];
  }
  const candidates = [undefined, '', 'a', 'b', '5', '10', '-3', '05', '5x', '9223372036854775807'];
  const rows: readonly Row[] = [
    { operator: 'exists', values: [], text: 'k', meets: candidates.slice(1) },
    { operator: '!', values: [], text: '!k', meets: [undefined] },
    { operator: '=', values: ['a'], text: 'k=a', meets: ['a'] },
    { operator: '==', values: ['a'], text: 'k==a', meets: ['a'] },
    { operator: '=', values: [''], text: 'k=', meets: [''] },
    { operator: '!=', values: ['a'], text: 'k!=a', meets: candidates.filter((value) => value !== 'a') },
    { operator: 'in', values: ['b', 'a', 'b'], text: 'k in (a,b,b)', meets: ['a', 'b'] },
    { operator: 'in', values: ['a'], text: 'k in (a)', meets: ['a'] },
    {
      operator: 'notin',
      values: ['b', 'a'],
      text: 'k notin (a,b)',
      meets: candidates.filter((value) => value !== 'a' && value !== 'b'),
    },
    { operator: '>', values: ['5'], text: 'k>5', meets: ['10', '9223372036854775807'] },
    { operator: '<', values: ['5'], text: 'k<5', meets: ['-3'] },
    { operator: '<', values: ['10'], text: 'k<10', meets: ['5', '-3', '05'] },
    {
      operator: '>',
      values: ['9223372036854775806'],
      text: 'k>9223372036854775806',
      meets: ['9223372036854775807'],
    },
  ];
  for (const { operator, values, text, meets } of rows) {
    it(`${text} holds for ${meets.map(String).join(', ')}`, () => {
      const requirement = createLabelRequirement('k', operator, values);
      const met = candidates.filter((value) => requirement.matches(value === undefined ? {} : { k: value }));
      expect(met).to.deep.equal(meets);
      expect(createLabelSelector([requirement]).toString()).to.equal(text);
    });
  }

  it('keeps its values sorted, repeated ones too', () => {
    expect(createLabelRequirement('k', 'in', ['b', 'a', 'b']).values).to.deep.equal(['a', 'b', 'b']);
  });

  const refused: readonly (readonly [
    key: string,
    operator: LabelOperator,
    values: readonly string[],
    message: string,
  ])[] = [
    ['k', 'in', [], "for 'in', 'notin' operators, values set can't be empty"],
    ['k', 'notin', [], "for 'in', 'notin' operators, values set can't be empty"],
    ['k', '=', [], 'exact-match compatibility requires one single value'],
    ['k', '==', ['a', 'b'], 'exact-match compatibility requires one single value'],
    ['k', '!=', ['a', 'b'], 'exact-match compatibility requires one single value'],
    ['k', 'exists', ['a'], 'values set must be empty for exists and does not exist'],
    ['k', '!', ['a'], 'values set must be empty for exists and does not exist'],
    ['k', '>', [], "for 'Gt', 'Lt' operators, exactly one value is required"],
    ['k', '<', ['1', '2'], "for 'Gt', 'Lt' operators, exactly one value is required"],
    ['k', '>', ['x'], "for 'Gt', 'Lt' operators, the value must be an integer"],
    ['k', '>', ['1.5'], "for 'Gt', 'Lt' operators, the value must be an integer"],
    ['k', '<', ['9223372036854775808'], "for 'Gt', 'Lt' operators, the value must be an integer"],
    ['', '=', ['a'], 'invalid label key "": name part must be non-empty; name part must consist of'],
    ['a b', 'exists', [], 'invalid label key "a b": name part must consist of'],
    ['/k', 'exists', [], 'invalid label key "/k": prefix part must be non-empty'],
    [`${'a'.repeat(254)}/k`, 'exists', [], 'prefix part must be no more than 253 characters'],
    [
      'k',
      '=',
      ['a b'],
      'invalid label value: "a b": at key: "k": a valid label must be an empty string or consist of',
    ],
    ['k', 'in', ['a', '_'], 'invalid label value: "_": at key: "k": '],
    ['k', '=', ['a'.repeat(64)], 'must be no more than 63 characters'],
  ];
  for (const [key, operator, values, message] of refused) {
    it(`refuses ${JSON.stringify(key.slice(0, 10))} ${operator} ${JSON.stringify(values).slice(0, 20)}`, () => {
      expect(() => createLabelRequirement(key, operator, values)).to.throw(SelectorError, message);
    });
  }

  it('looks at own labels only', () => {
    expect(createLabelRequirement('constructor', 'exists', []).matches({})).to.equal(false);
    expect(createLabelRequirement('toString', '!', []).matches({})).to.equal(true);
  });
});

describe('laws of label selectors', () => {
  const value = fc.constantFrom('', 'a', 'b', 'c');
  const labels = fc.dictionary(fc.constantFrom('k', 'l'), value, { noNullPrototype: true });
  const values = fc.uniqueArray(value, { minLength: 1 });
  const matches = (operator: LabelOperator, list: readonly string[], of: Record<string, string>): boolean =>
    createLabelRequirement('k', operator, list).matches(of);

  it('a condition and its opposite share nothing and leave nothing out', () => {
    fc.assert(
      fc.property(labels, values, (of, list) => {
        expect(matches('in', list, of)).to.equal(!matches('notin', list, of));
        expect(matches('exists', [], of)).to.equal(!matches('!', [], of));
        const [first = ''] = list;
        expect(matches('=', [first], of)).to.equal(!matches('!=', [first], of));
        expect(matches('=', [first], of)).to.equal(matches('in', [first], of));
      }),
    );
  });

  it('more conditions select fewer objects, in any order alike', () => {
    const requirement = fc
      .tuple(fc.constantFrom('k', 'l'), fc.constantFrom<LabelOperator>('in', 'notin'), values)
      .map(([key, operator, list]) => createLabelRequirement(key, operator, list));
    fc.assert(
      fc.property(labels, fc.array(requirement), requirement, (of, some, more) => {
        const before = createLabelSelector(some).matches(of);
        const after = createLabelSelector([...some, more]).matches(of);
        expect(after).to.equal(before && more.matches(of));
        expect(createLabelSelector([more, ...some.toReversed()]).matches(of)).to.equal(after);
      }),
    );
  });

  it('a set selects exactly the objects that have all of it', () => {
    fc.assert(
      fc.property(labels, labels, (wanted, of) => {
        const hasAll = Object.entries(wanted).every(([key, text]) => of[key] === text);
        expect(labelSelectorFromSet(wanted).matches(of)).to.equal(hasAll);
        expect(labelSelectorFromObject({ matchLabels: wanted }).matches(of)).to.equal(hasAll);
      }),
    );
  });

  it('an object and its query text select the same', () => {
    const expression = fc.oneof(
      fc.record({ key: fc.constantFrom('k', 'l'), operator: fc.constantFrom('In', 'NotIn'), values }),
      fc.record({ key: fc.constantFrom('k', 'l'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
    );
    fc.assert(
      fc.property(
        labels,
        fc.array(expression, { minLength: 1 }),
        labels,
        (matchLabels, matchExpressions, of) => {
          const selector = labelSelectorFromObject({ matchLabels, matchExpressions });
          // `k in ()` is how a set of one empty value is written; it is read as that.
          expect(parseLabelSelector(selector.toString()).matches(of)).to.equal(selector.matches(of));
        },
      ),
    );
  });
});

describe('everything and nothing', () => {
  it('select every object and none', () => {
    for (const labels of [{}, { a: 'b' }, null, undefined]) {
      expect(everything.matches(labels)).to.equal(true);
      expect(nothing.matches(labels)).to.equal(false);
    }
    expect(everything.isEmpty).to.equal(true);
    expect(nothing.isEmpty).to.equal(false);
    expect(everything.toString()).to.equal('');
    expect(nothing.toString()).to.equal('');
  });
});
