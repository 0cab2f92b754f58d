import { expect } from 'chai';
import { describe, it } from 'mocha';
import { isEnough } from '../../../../src/nodeagent/disks/iscsi-attach.ts';

describe('isEnough', () => {
  for (const [found, wanted, attempts, expected] of [
    [0, 1, 0, false],
    [1, 1, 1, true],
    [1, 2, 1, false],
    [1, 2, 4, false],
    [1, 2, 5, true],
    [2, 3, 1, false],
    [2, 3, 2, true],
    [3, 3, 1, true],
  ] as const) {
    it(`${found} of ${wanted} paths after ${attempts} attempts: ${expected}`, () =>
      expect(isEnough(found, { wanted, attempts })).to.equal(expected));
  }
});
