import { expect } from 'chai';
import type { Job } from '../../../../src/apis/types/batch-v1.ts';
import type { CronJob } from '../../../../src/apis/types/batch-v1beta1.ts';
import {
  decideCleanup,
  decideStart,
  endOf,
  jobFor,
  observeJobs,
  withActive,
} from '../../../../src/controllers/cron-job/decide.ts';
import { createRandomSource } from '../../../support/random-source.ts';
import { testSeed } from '../../../support/test-seed.ts';

const createdMs = Date.parse('2026-01-01T00:00:30Z');
const at = (text: string): number => Date.parse(`2026-01-01T${text}Z`);
const zone = () => 0;

const cronJob = (spec: object = {}, status: object = {}, metadata: object = {}) =>
  ({
    metadata: { name: 'c', namespace: 'n', uid: 'u', creationTimestamp: '2026-01-01T00:00:30Z', ...metadata },
    spec: {
      ...{ schedule: '* * * * *', concurrencyPolicy: 'Allow', suspend: false },
      jobTemplate: { metadata: { labels: { a: 'b' } }, spec: { template: {} } },
      ...{ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
      ...spec,
    },
    status,
  }) as unknown as CronJob;
const job = (name: string, end?: 'Complete' | 'Failed', startTime?: string) =>
  ({
    metadata: { name, uid: name },
    spec: {},
    status: { ...(end && { conditions: [{ type: end, status: 'True' }] }), ...(startTime && { startTime }) },
  }) as unknown as Job;
const active = (...names: string[]) => ({ active: names.map((name) => ({ name, uid: name })) });

describe('a cron job', () => {
  const cases: [string, CronJob, string, string | undefined][] = [
    ['starts when its first time has come', cronJob(), '00:01:00', '00:01:00'],
    ['does not start before', cronJob(), '00:00:59', undefined],
    ['starts the latest of the times that it missed', cronJob(), '00:05:10', '00:05:00'],
    [
      'does not start a time twice',
      cronJob({}, { lastScheduleTime: '2026-01-01T00:01:00Z' }),
      '00:01:50',
      undefined,
    ],
    [
      'starts again at the next time',
      cronJob({}, { lastScheduleTime: '2026-01-01T00:01:00Z' }),
      '00:02:00',
      '00:02:00',
    ],
    ['does not start while it is suspended', cronJob({ suspend: true }), '00:05:00', undefined],
    [
      'does not start while it is deleted',
      cronJob({}, {}, { deletionTimestamp: '2026-01-01T00:00:31Z' }),
      '00:05:00',
      undefined,
    ],
    ['starts beside others', cronJob({}, active('j')), '00:01:00', '00:01:00'],
    [
      'does not start beside others that it must not',
      cronJob({ concurrencyPolicy: 'Forbid' }, active('j')),
      '00:01:00',
      undefined,
    ],
    ['starts alone with the same policy', cronJob({ concurrencyPolicy: 'Forbid' }), '00:01:00', '00:01:00'],
    ['starts within its deadline', cronJob({ startingDeadlineSeconds: 20 }), '00:01:19', '00:01:00'],
    [
      'does not start what is beyond its deadline',
      cronJob({ startingDeadlineSeconds: 20 }),
      '00:01:30',
      undefined,
    ],
    ['was not there yet', cronJob(), '00:00:00', undefined],
  ];
  for (const [what, of, now, expected] of cases) {
    it(what, () => {
      const start = decideStart(of, { nowMs: at(now), zone });
      const scheduled =
        start.kind === 'due' ? new Date(start.scheduledMs).toISOString().slice(11, 19) : undefined;
      expect(scheduled).to.equal(expected);
      expect(start.kind).to.not.equal('refused');
      // What may be skipped until then is decided alike until then.
      if (start.kind !== 'none' || start.untilMs === undefined) return;
      expect(decideStart(of, { nowMs: start.untilMs - 1, zone })).to.deep.equal(start);
      expect(decideStart(of, { nowMs: start.untilMs, zone })).to.not.deep.equal(start);
    });
  }

  it('replaces those that still run', () => {
    const of = cronJob({ concurrencyPolicy: 'Replace' }, active('j', 'k'));
    expect(decideStart(of, { nowMs: at('00:01:00'), zone })).to.deep.equal({
      kind: 'due',
      scheduledMs: at('00:01:00'),
      replaced: active('j', 'k').active,
    });
  });

  const tooMany =
    'Cannot determine if job needs to be started: too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew';
  const refusals: [string, CronJob, string, string, string][] = [
    ['101 missed times', cronJob(), '01:41:00', 'FailedNeedsStart', tooMany],
    [
      'a schedule that never comes',
      cronJob({ schedule: '0 0 31 2 *' }),
      '00:01:00',
      'FailedNeedsStart',
      tooMany,
    ],
    [
      'a schedule that is none',
      cronJob({ schedule: '* * * *' }),
      '00:01:00',
      'FailedNeedsStart',
      'Cannot determine if job needs to be started: unparseable schedule: * * * * : Expected exactly 5 fields, found 4: * * * *',
    ],
  ];
  for (const [what, of, now, reason, message] of refusals) {
    it(`tells why it does not start: ${what}`, () => {
      const start = decideStart(of, { nowMs: at(now), zone });
      expect(start).to.deep.equal({ kind: 'refused', event: { type: 'Warning', reason, message } });
    });
  }

  it('may miss 100 times, and any number before its deadline', () => {
    expect(decideStart(cronJob(), { nowMs: at('01:40:59'), zone }).kind).to.equal('due');
    const of = cronJob({ startingDeadlineSeconds: 600 });
    expect(decideStart(of, { nowMs: at('23:00:00'), zone }).kind).to.equal('due');
  });

  it('names jobs by their time, and owns them', () => {
    const owner = { apiVersion: 'batch/v1beta1', kind: 'CronJob', namespace: 'n', name: 'c', uid: 'u' };
    const { metadata, spec } = jobFor(cronJob(), { ...owner, isBeingDeleted: false }, at('00:01:00'));
    expect(metadata).to.deep.equal({
      name: 'c-1767225660',
      labels: { a: 'b' },
      ownerReferences: [
        {
          ...{ apiVersion: 'batch/v1beta1', kind: 'CronJob', name: 'c', uid: 'u' },
          ...{ controller: true, blockOwnerDeletion: true },
        },
      ],
    });
    expect(spec).to.deep.equal({ template: {} });
  });
});

describe('the active jobs of a cron job', () => {
  const cases: [string, string[], Job[], string[] | undefined, string[]][] = [
    ['stay as they are', ['a'], [job('a')], undefined, []],
    [
      'end',
      ['a', 'b'],
      [job('a', 'Complete'), job('b')],
      ['b'],
      ['SawCompletedJob: Saw completed job: a, status: Complete'],
    ],
    ['fail', ['a'], [job('a', 'Failed')], [], ['SawCompletedJob: Saw completed job: a, status: Failed']],
    ['go missing', ['a', 'b'], [job('b')], ['b'], ['MissingJob: Active job went missing: a']],
    [
      'are not those of somebody else',
      [],
      [job('x')],
      undefined,
      ['UnexpectedJob: Saw a job that the controller did not create or forgot: x'],
    ],
    ['are not those that ended long ago', [], [job('x', 'Complete')], undefined, []],
  ];
  for (const [what, before, jobs, after, events] of cases) {
    it(what, () => {
      const seen = observeJobs(cronJob({}, active(...before)), jobs);
      expect(seen.status && (seen.status.active ?? []).map(({ name }) => name)).to.deep.equal(after);
      expect(seen.events.map(({ reason, message }) => `${reason}: ${message}`)).to.deep.equal(events);
    });
  }
});

describe('old jobs of a cron job', () => {
  const ended = [
    job('late', 'Complete', '2026-01-01T03:00:00Z'),
    job('early', 'Complete', '2026-01-01T01:00:00Z'),
    job('b', 'Complete', '2026-01-01T02:00:00Z'),
    job('a', 'Complete', '2026-01-01T02:00:00Z'),
    job('never', 'Failed'),
    job('failed', 'Failed', '2026-01-01T02:00:00Z'),
    job('runs', undefined, '2026-01-01T00:00:00Z'),
  ];
  const cases: [string, object, string[]][] = [
    ['stay while they are not too many', { successfulJobsHistoryLimit: 4, failedJobsHistoryLimit: 2 }, []],
    [
      'go, oldest first',
      { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 },
      ['early', 'a', 'failed'],
    ],
    [
      'all go',
      { successfulJobsHistoryLimit: 0, failedJobsHistoryLimit: 0 },
      ['early', 'a', 'b', 'late', 'failed', 'never'],
    ],
    [
      'stay without a limit',
      { successfulJobsHistoryLimit: undefined, failedJobsHistoryLimit: undefined },
      [],
    ],
  ];
  for (const [what, spec, names] of cases) {
    it(what, () => {
      expect(decideCleanup(cronJob(spec), ended).map(({ metadata }) => metadata.name)).to.deep.equal(names);
    });
  }

  it('are not deleted twice', () => {
    const going = job('x', 'Complete');
    going.metadata.deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(decideCleanup(cronJob({ successfulJobsHistoryLimit: 0 }), [going])).to.deep.equal([]);
  });
});

describe('days of a cron job', () => {
  for (const policy of ['Allow', 'Forbid', 'Replace']) {
    it(`with ${policy} start each time once, keep to the policy and to what may stay`, () => {
      const random = createRandomSource(testSeed);
      for (let round = 0; round < 4; round++) simulateDay(policy, random.below(1000));
    });
  }
});

/** Looks every ten seconds, as the controller does; jobs end whenever they like, and the controller sleeps at times. */
function simulateDay(policy: string, seed: number): void {
  const random = createRandomSource(seed);
  const schedule = random.pick(['*/5 * * * *', '17 * * * *', '@every 7m', '0-20/2 */3 * * *']);
  const limits = { successfulJobsHistoryLimit: random.below(4), failedJobsHistoryLimit: random.below(3) };
  let of = cronJob({ schedule, concurrencyPolicy: policy, ...limits });
  let jobs: Job[] = [];
  const started: number[] = [];
  const owner = { apiVersion: 'batch/v1beta1', kind: 'CronJob', namespace: 'n', name: 'c', uid: 'u' };
  for (let nowMs = createdMs; nowMs < createdMs + 86_400_000; nowMs += 10_000) {
    if (random.below(500) === 0) nowMs += random.below(3_600_000);
    for (const each of jobs) {
      if (endOf(each) !== undefined || random.below(40) > 0) continue;
      each.status.conditions = [{ type: random.pick(['Complete', 'Failed']), status: 'True' }];
    }
    const observed = observeJobs(of, jobs);
    of = { ...of, status: observed.status ?? of.status };
    expect(observeJobs(of, jobs).status).to.equal(undefined);
    expect(observed.events.map(({ reason }) => reason)).to.not.include('UnexpectedJob');
    const start = decideStart(of, { nowMs, zone });
    if (start.kind === 'due') {
      const replaced = new Set(start.replaced.map(({ uid }) => uid));
      const running = (of.status.active ?? []).filter(({ uid }) => !replaced.has(uid));
      if (policy !== 'Allow') expect(running).to.deep.equal([]);
      jobs = jobs.filter(({ metadata }) => !replaced.has(metadata.uid));
      const made = jobFor(of, { ...owner, isBeingDeleted: false }, start.scheduledMs);
      made.metadata.uid = made.metadata.name;
      expect(jobs.map(({ metadata }) => metadata.name)).to.not.include(made.metadata.name);
      jobs.push(made);
      started.push(start.scheduledMs);
      const lastScheduleTime = new Date(start.scheduledMs).toISOString();
      of = { ...of, status: withActive({ lastScheduleTime }, [...running, { uid: made.metadata.uid }]) };
      expect(decideStart(of, { nowMs, zone }).kind).to.equal('none');
    }
    const old = new Set(decideCleanup(of, jobs));
    expect([...old].every((each) => endOf(each) !== undefined)).to.equal(true);
    jobs = jobs.filter((each) => !old.has(each));
    expect(decideCleanup(of, jobs)).to.deep.equal([]);
  }
  expect(new Set(started).size).to.equal(started.length);
  expect(started.length).to.be.greaterThan(5);
}
