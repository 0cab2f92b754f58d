import { expect } from 'chai';
import { tolerates, untoleratedTaint } from '../../../../src/apis/core/index.ts';
import type { Toleration } from '../../../../src/apis/types/core-v1.ts';

const taint = { key: 'k', value: 'v', effect: 'NoSchedule' };

describe('tolerates', () => {
  const cases: [string, Toleration, boolean][] = [
    ['the same key and value', { key: 'k', value: 'v' }, true],
    [
      'the same with the operator named',
      { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' },
      true,
    ],
    ['another value', { key: 'k', value: 'w' }, false],
    ['no value where the taint has one', { key: 'k' }, false],
    ['any value when the key need only exist', { key: 'k', operator: 'Exists' }, true],
    ['another key', { key: 'l', operator: 'Exists' }, false],
    ['another effect', { key: 'k', operator: 'Exists', effect: 'NoExecute' }, false],
    ['everything', { operator: 'Exists' }, true],
    ['an operator that there is not', { key: 'k', operator: 'Gt', value: 'v' }, false],
  ];
  for (const [what, toleration, expected] of cases) {
    it(`${expected ? 'covers' : 'does not cover'}: ${what}`, () => {
      expect(tolerates(toleration, taint)).to.equal(expected);
    });
  }
});

describe('untoleratedTaint', () => {
  it('is the first of the effects in question that nothing covers', () => {
    const taints = [
      { key: 'a', effect: 'PreferNoSchedule' },
      { key: 'b', effect: 'NoExecute' },
      { key: 'c', effect: 'NoExecute' },
    ];
    const tolerations = [{ key: 'b', operator: 'Exists' }];
    expect(untoleratedTaint(taints, tolerations, ['NoExecute'])?.key).to.equal('c');
    expect(untoleratedTaint(taints, tolerations, ['NoSchedule'])).to.equal(undefined);
  });
});
