import { expect } from 'chai';
import { compareVersions } from '../../../../src/machinery/schema/index.ts';

describe('compareVersions', () => {
  it('prefers stable to beta to alpha, higher to lower, and what is a version to what is not', () => {
    const sorted = [
      ...['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2'],
      ...['foo1', 'foo10', 'v0'],
    ];
    for (let turn = 0; turn < sorted.length; turn++) {
      const turned = [...sorted.slice(turn), ...sorted.slice(0, turn)];
      expect(turned.sort(compareVersions)).to.deep.equal(sorted);
    }
  });
});
