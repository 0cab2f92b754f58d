import { expect } from 'chai';
import type { Job } from '../../../../src/apis/types/batch-v1.ts';
import type { Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  countPods,
  decideCompletion,
  decideDifference,
  decideFailure,
  decideJobStatus,
} from '../../../../src/controllers/job/decide.ts';

const nowMs = Date.parse('2026-01-01T00:10:00Z');

const job = (spec: object = {}, status: object = {}) =>
  ({
    metadata: { name: 'j' },
    spec: { parallelism: 1, completions: 1, backoffLimit: 6, template: { spec: {} }, ...spec },
    status,
  }) as unknown as Job;
const pods = (...phases: string[]) =>
  phases.map((phase) => ({ metadata: {}, spec: {}, status: { phase } }) as unknown as Pod);
const restarted = (count: number, phase = 'Running') =>
  ({
    metadata: {},
    spec: {},
    status: { phase, containerStatuses: [{ restartCount: count }] },
  }) as unknown as Pod;

describe('the pods of a job', () => {
  const cases: [string, object, string[], number][] = [
    ['begin with as many as run beside each other', { parallelism: 2, completions: 5 }, [], 2],
    ['are no more than completions are missing', { parallelism: 3, completions: 2 }, ['Succeeded'], 1],
    ['take the place of failed ones', { parallelism: 1 }, ['Failed'], 1],
    ['are let be when there are enough', { parallelism: 1 }, ['Running'], 0],
    ['are let be when completions need fewer', { parallelism: 3 }, ['Running', 'Running', 'Running'], 0],
    ['go when there are too many', { parallelism: 1, completions: 5 }, ['Running', 'Pending'], -1],
    ['go when none may run', { parallelism: 0 }, ['Running'], -1],
    ['without completions fill up', { parallelism: 3, completions: undefined }, ['Running'], 2],
    ['without completions end with a success', { parallelism: 3, completions: undefined }, ['Succeeded'], 0],
  ];
  for (const [what, spec, phases, difference] of cases) {
    it(what, () => {
      expect(decideDifference(job(spec), countPods(pods(...phases)))).to.equal(difference);
    });
  }
});

describe('a job fails', () => {
  const startTime = '2026-01-01T00:09:00Z';
  const limit = 'BackoffLimitExceeded';
  const onFailure = (backoffLimit: number) => ({
    backoffLimit,
    template: { spec: { restartPolicy: 'OnFailure' } },
  });
  const cases: [string, Job, Pod[], number, string | undefined][] = [
    ['at once when no failure is allowed', job({ backoffLimit: 0 }), pods('Failed'), 0, limit],
    ['not while tries are left', job({ backoffLimit: 1 }), pods('Failed', 'Failed'), 0, undefined],
    ['when no tries are left', job({ backoffLimit: 1 }), pods('Failed', 'Failed'), 1, limit],
    [
      'not for a failure that is known',
      job({ backoffLimit: 0 }, { failed: 1 }),
      pods('Failed'),
      3,
      undefined,
    ],
    ['not while all pods run', job({ backoffLimit: 0 }), pods('Failed', 'Running'), 3, undefined],
    ['when pods restart too often', job(onFailure(2)), [restarted(1), restarted(1, 'Pending')], 0, limit],
    ['not before they do', job(onFailure(2)), [restarted(1), restarted(9, 'Succeeded')], 0, undefined],
    ['not without a restart', job(onFailure(0)), [restarted(0)], 0, undefined],
    ['not for restarts of pods that never restart', job({ backoffLimit: 0 }), [restarted(5)], 0, undefined],
    ['when its time is up', job({ activeDeadlineSeconds: 60 }, { startTime }), [], 0, 'DeadlineExceeded'],
    ['not before its time', job({ activeDeadlineSeconds: 61 }, { startTime }), [], 0, undefined],
  ];
  for (const [what, of, has, retries, reason] of cases) {
    it(what, () => {
      expect(decideFailure(of, has, { nowMs, retries })?.reason).to.equal(reason);
    });
  }
});

describe('a job is complete', () => {
  const cases: [string, number | undefined, number, number, boolean, string[]][] = [
    ['with all successes', 2, 0, 2, true, ['Completed']],
    ['not before', 2, 1, 1, false, []],
    ['without a number: with one, once none runs', undefined, 0, 1, true, ['Completed']],
    ['without a number: not while one runs', undefined, 1, 1, false, []],
    ['and tells of pods that still run', 1, 1, 1, true, ['TooManyActivePods', 'Completed']],
    ['and tells of too many successes', 1, 0, 2, true, ['TooManySucceededPods', 'Completed']],
  ];
  for (const [what, completions, active, succeeded, isComplete, reasons] of cases) {
    it(what, () => {
      const end = decideCompletion(job({ completions }), { active, succeeded });
      expect([end.isComplete, end.events.map(({ reason }) => reason)]).to.deep.equal([isComplete, reasons]);
    });
  }
});

describe('the status of a job', () => {
  const outcome = { active: 0, succeeded: 0, failed: 0, isComplete: false, failure: undefined, nowMs };
  const now = '2026-01-01T00:10:00Z';
  it('is not written when nothing is new, not even that it began', () => {
    expect(decideJobStatus(job(), outcome)).to.equal(undefined);
    expect(decideJobStatus(job({}, { active: 1 }), { ...outcome, active: 1 })).to.equal(undefined);
  });

  it('counts pods, and keeps when it began', () => {
    const startTime = '2026-01-01T00:00:00Z';
    const status = decideJobStatus(job({}, { startTime }), { ...outcome, active: 2, failed: 1 });
    expect(status).to.deep.equal({ startTime, active: 2, failed: 1 });
  });

  it('tells when it was complete', () => {
    const status = decideJobStatus(job({}, { active: 1 }), { ...outcome, succeeded: 1, isComplete: true });
    const condition = { type: 'Complete', status: 'True', lastProbeTime: now, lastTransitionTime: now };
    expect(status).to.deep.equal({
      conditions: [condition],
      startTime: now,
      completionTime: now,
      succeeded: 1,
    });
  });

  it('tells why it failed', () => {
    const failure = { reason: 'DeadlineExceeded' as const, message: 'm' };
    const status = decideJobStatus(job(), { ...outcome, failure });
    expect(status?.conditions?.[0]).to.include({ type: 'Failed', status: 'True', ...failure });
    expect(status).to.not.have.property('completionTime');
  });
});
