import { expect } from 'chai';
import { labelSelectorFromObject, labelSelectorFromSet } from '../../../../src/machinery/selectors/index.ts';

describe('labelSelectorFromObject', () => {
  it('selects nothing when it is absent, everything when it is empty', () => {
    expect(labelSelectorFromObject(undefined).matches({ a: 'x' })).to.equal(false);
    expect(labelSelectorFromObject(null).isEmpty).to.equal(false);
    expect(labelSelectorFromObject({}).matches(undefined)).to.equal(true);
  });

  it('wants all labels and all expressions', () => {
    const selector = labelSelectorFromObject({
      matchLabels: { z: '1' },
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['y', 'x'] },
        { key: 'b', operator: 'NotIn', values: ['x'] },
        { key: 'c', operator: 'Exists' },
        { key: 'd', operator: 'DoesNotExist' },
      ],
    });
    expect(selector.toString()).to.equal('a in (x,y),b notin (x),c,!d,z=1');
    expect(selector.matches({ z: '1', a: 'x', c: '' })).to.equal(true);
    expect(selector.matches({ z: '1', a: 'x', c: '', d: '' })).to.equal(false);
  });

  const failures: [string, string[] | undefined, string][] = [
    ['Like', [], '"Like" is not a valid pod selector operator'],
    ['In', undefined, "for 'in', 'notin' operators, values set can't be empty"],
    ['Exists', ['x'], 'values set must be empty for exists and does not exist'],
  ];
  for (const [operator, values, message] of failures) {
    it(`refuses ${operator} with ${values?.length ?? 0} values`, () => {
      const object = { matchExpressions: [{ key: 'a', operator, values }] };
      expect(() => labelSelectorFromObject(object)).to.throw(message);
    });
  }
});

describe('labelSelectorFromSet', () => {
  it('wants exactly these labels', () => {
    expect(labelSelectorFromSet({ b: '2', a: '1' }).toString()).to.equal('a=1,b=2');
  });
});
