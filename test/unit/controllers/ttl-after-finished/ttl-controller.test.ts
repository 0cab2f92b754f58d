import { expect } from 'chai';
import type { Job } from '../../../../src/apis/types/batch-v1.ts';
import { expiryOf } from '../../../../src/controllers/ttl-after-finished/ttl-controller.ts';

const ended = '2026-01-01T00:00:00Z';
const job = (ttlSecondsAfterFinished: number | undefined, conditions: object[], metadata: object = {}) =>
  ({ metadata, spec: { ttlSecondsAfterFinished }, status: { conditions } }) as unknown as Job;
const condition = (type: string, status = 'True') => ({ type, status, lastTransitionTime: ended });

describe('the time after which a job is deleted', () => {
  const cases: [string, Job, number | undefined][] = [
    ['begins when it is complete', job(60, [condition('Complete')]), 60],
    ['begins when it has failed', job(60, [condition('Other'), condition('Failed')]), 60],
    ['may be none', job(0, [condition('Complete')]), 0],
    ['never comes when it is not given', job(undefined, [condition('Complete')]), undefined],
    ['does not begin before it ends', job(60, [condition('Complete', 'False')]), undefined],
    [
      'does not matter while it is deleted',
      job(60, [condition('Complete')], { deletionTimestamp: ended }),
      undefined,
    ],
  ];
  for (const [what, of, seconds] of cases) {
    it(what, () => {
      const expected = seconds === undefined ? undefined : Date.parse(ended) + seconds * 1000;
      expect(expiryOf(of)).to.equal(expected);
    });
  }
});
