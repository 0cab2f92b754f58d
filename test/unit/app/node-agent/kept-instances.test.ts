import { expect } from 'chai';
import { keptInstances } from '../../../../src/app/node-agent/kept-instances.ts';

const instances = (podUid: string, name: string, count: number, state: 'exited' | 'running' = 'exited') =>
  Array.from({ length: count }, (_, attempt) => ({
    state,
    metadata: { name, attempt },
    labels: { uid: podUid },
  }));

describe('keptInstances', () => {
  const two = [...instances('a', 'c', 4), ...instances('b', 'c', 2), ...instances('b', 'd', 9, 'running')];
  const cases: readonly (readonly [what: string, perContainer: number, inAll: number, kept: number])[] = [
    ['no bound of the node', 3, -1, 3],
    ['fewer than the node may have', 5, 6, 5],
    ['more: each has a share', 5, 5, 2],
    ['more, and less for each anyway', 1, 5, 1],
    ['far too many: each keeps one', 5, 1, 1],
    ['none at all: each keeps one', 5, 0, 1],
    ['a bound of the node only', -1, 4, 2],
  ];
  for (const [what, perContainer, inAll, kept] of cases) {
    it(`is ${kept}: ${what}`, () => {
      expect(keptInstances({ perContainer, inAll, containers: two, podUidLabel: 'uid' })).to.equal(kept);
    });
  }
});
