import { expect } from 'chai';
import { validateLabelSelector } from '../../../../src/apis/validation/index.ts';
import { fieldPath } from '../../../../src/machinery/errors/index.ts';

const texts = (selector: Parameters<typeof validateLabelSelector>[0]): string[] =>
  validateLabelSelector(selector, fieldPath('spec', 'selector')).map(
    (error) => `${error.path} ${error.detail}`,
  );

describe('validateLabelSelector', () => {
  it('accepts absent, empty and complete selectors', () => {
    expect(texts(undefined)).to.deep.equal([]);
    expect(texts({})).to.deep.equal([]);
    const matchExpressions = [
      { key: 'a', operator: 'In', values: ['x'] },
      { key: 'a', operator: 'NotIn', values: ['x'] },
      { key: 'a', operator: 'Exists' },
      { key: 'a', operator: 'DoesNotExist', values: [] },
    ];
    expect(texts({ matchLabels: { a: 'b' }, matchExpressions })).to.deep.equal([]);
  });

  it('names what is wrong with each expression, labels first', () => {
    const problems = texts({
      matchLabels: { a: '-' },
      matchExpressions: [
        { key: 'a', operator: 'In' },
        { key: 'a', operator: 'Exists', values: ['x'] },
        { key: 'a', operator: 'Foo' },
        { key: 'bad key', operator: 'Exists' },
      ],
    });
    expect(problems[0]).to.match(/^spec\.selector\.matchLabels a valid label must be/);
    expect(problems.slice(1, 4)).to.deep.equal([
      "spec.selector.matchExpressions[0].values must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator not a valid selector operator',
    ]);
    expect(problems[4]).to.match(/^spec\.selector\.matchExpressions\[3\]\.key name part must consist of/);
    expect(problems).to.have.length(5);
  });
});
