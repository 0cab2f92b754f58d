import { expect } from 'chai';
import type { Toleration } from '../../../../src/apis/types/core-v1.ts';
import { toleratedForMs } from '../../../../src/controllers/node-lifecycle/tolerance.ts';

describe('how long a pod may stay', () => {
  const a = { key: 'a', effect: 'NoExecute' };
  const b = { key: 'b', effect: 'NoExecute' };
  const stays = (key: string, tolerationSeconds?: number): Toleration => ({
    ...{ key, operator: 'Exists' },
    ...(tolerationSeconds !== undefined && { tolerationSeconds }),
  });
  const cases: [string, Toleration[], number][] = [
    ['not at all without tolerations', [], 0],
    ['not at all when one taint is not covered', [stays('a')], 0],
    ['for ever when all are covered without a time', [stays('a'), stays('b')], Number.POSITIVE_INFINITY],
    ['for the shortest time', [stays('a', 30), stays('b', 5)], 5000],
    ['for the time of one', [stays('a'), stays('b', 5)], 5000],
    ['not at all for a time that is over', [stays('a', -1), stays('b')], 0],
    ['for the time of the first that covers', [stays('a', 9), stays('a', 1), stays('b')], 9000],
    ['for the time of what covers all', [{ operator: 'Exists', tolerationSeconds: 7 }], 7000],
  ];
  for (const [what, tolerations, expected] of cases) {
    it(what, () => expect(toleratedForMs([a, b], tolerations)).to.equal(expected));
  }
});
