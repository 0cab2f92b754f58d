import { expect } from 'chai';
import { cronJobRules, jobRules, scheduleProblem } from '../../../../src/apis/batch/index.ts';
import { createTypeCatalog } from '../../../../src/apis/catalog.ts';
import { createDefaulter } from '../../../../src/apis/defaults/index.ts';
import type { Job } from '../../../../src/apis/types/batch-v1.ts';
import type { CronJob } from '../../../../src/apis/types/batch-v1beta1.ts';
import { orchDialect } from '../../../../src/machinery/dialect.ts';
import {
  canonical,
  createErrors,
  ruleContext,
  statusErrors,
  updateErrors,
  withGates,
} from '../core-pod/rule-bench.ts';
import { negative } from '../core-pod/wording.ts';

const catalog = createTypeCatalog(orchDialect);
const template = (spec: object = {}, metadata: object = {}): object => ({
  metadata,
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }], ...spec },
});
const makeJob = (spec: object = {}, more: object = {}): Job =>
  canonical<Job>('batch/v1.Job', {
    metadata: { name: 'j', namespace: 'n', uid: 'job-uid' },
    spec: { template: template(), ...spec },
    ...more,
  });
const makeCronJob = (spec: object = {}, name = 'c', jobSpec: object = {}): CronJob =>
  canonical<CronJob>('batch/v1beta1.CronJob', {
    metadata: { name, namespace: 'n' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template(), ...jobSpec } }, ...spec },
  });
const generated = { 'controller-uid': 'job-uid', 'job-name': 'j' };
const shownSelector = (labels: string): string =>
  `v1.LabelSelector{MatchLabels:map[string]string{${labels}}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}`;

describe('jobRules.prepareForCreate', () => {
  it('gives a job its own selector and labels', () => {
    const job = makeJob();
    expect(createErrors(jobRules, job)).to.deep.equal([]);
    expect(job.spec.selector).to.deep.equal({ matchLabels: { 'controller-uid': 'job-uid' } });
    expect(job.spec.template.metadata.labels).to.deep.equal(generated);
    expect(job.metadata.labels).to.deep.equal(generated);
  });

  it('leaves a job alone that selects itself', () => {
    const spec = {
      manualSelector: true,
      selector: { matchLabels: { a: 'b' } },
      template: template({}, { labels: { a: 'b' } }),
    };
    const job = makeJob(spec);
    expect(createErrors(jobRules, job)).to.deep.equal([]);
    expect(job.spec.selector).to.deep.equal({ matchLabels: { a: 'b' } });
  });

  it('drops the time to live without its gate', () => {
    const make = (): Job => makeJob({ ttlSecondsAfterFinished: -4 });
    expect(createErrors(jobRules, make())).to.deep.equal([]);
    expect(createErrors(jobRules, make(), withGates({ TTLAfterFinished: true }))).to.deep.equal([
      `spec.ttlSecondsAfterFinished: Invalid value: -4: ${negative}`,
    ]);
  });
});

describe('jobRules.validate', () => {
  it('refuses numbers below zero and pods that never end', () => {
    const spec = { parallelism: -1, completions: -2, backoffLimit: -3, activeDeadlineSeconds: -4 };
    expect(
      createErrors(jobRules, makeJob({ ...spec, template: template({ restartPolicy: 'Always' }) })),
    ).to.deep.equal([
      `spec.parallelism: Invalid value: -1: ${negative}`,
      `spec.completions: Invalid value: -2: ${negative}`,
      `spec.activeDeadlineSeconds: Invalid value: -4: ${negative}`,
      `spec.backoffLimit: Invalid value: -3: ${negative}`,
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it('refuses other policies', () => {
    expect(createErrors(jobRules, makeJob({ template: template({ restartPolicy: 'Q' }) }))).to.deep.equal([
      'spec.template.spec.restartPolicy: Unsupported value: "Q": supported values: "Always", "OnFailure", "Never"',
      'spec.template.spec.restartPolicy: Unsupported value: "Q": supported values: "OnFailure", "Never"',
    ]);
  });

  it('refuses a selector that it did not make', () => {
    const spec = { selector: { matchLabels: { a: 'b' } }, template: template({}, { labels: { a: 'b' } }) };
    expect(createErrors(jobRules, makeJob(spec))).to.deep.equal([
      `spec.selector: Invalid value: ${shownSelector('"a":"b", "controller-uid":"job-uid"')}: \`selector\` not auto-generated`,
    ]);
  });

  it('refuses labels of another job', () => {
    const labels = { 'job-name': 'other' };
    expect(createErrors(jobRules, makeJob({ template: template({}, { labels }) }))).to.deep.equal([
      'spec.template.metadata.labels[job-name]: Invalid value: map[string]string{"controller-uid":"job-uid", "job-name":"other"}: must be \'j\'',
    ]);
  });

  it('refuses no selector, or one that misses the pods, where it is chosen by hand', () => {
    const mismatch =
      'spec.template.metadata.labels: Invalid value: map[string]string(nil): `selector` does not match template `labels`';
    expect(createErrors(jobRules, makeJob({ manualSelector: true }))).to.deep.equal([
      'spec.selector: Required value',
      mismatch,
    ]);
    const selector = { matchLabels: { a: 'b' } };
    expect(createErrors(jobRules, makeJob({ manualSelector: true, selector }))).to.deep.equal([mismatch]);
  });
});

describe('labels of a new job', () => {
  it("that are the template's get what the template gets", () => {
    const job = makeJob({ template: template({}, { labels: { a: 'x' } }) });
    createDefaulter({ dialect: orchDialect, catalog, gates: new Set() })('batch/v1.Job', job);
    expect(createErrors(jobRules, job)).to.deep.equal([]);
    expect(job.metadata.labels).to.deep.equal({ ...generated, a: 'x' });
  });

  it('that it brings stay as they are', () => {
    const job = makeJob({ template: template({}, { labels: { a: 'x' } }) });
    job.metadata.labels = { own: 'x' };
    createErrors(jobRules, job);
    expect(job.metadata.labels).to.deep.equal({ own: 'x' });
  });

  it('are shown as they were given: empty or not at all', () => {
    const spec = { manualSelector: true, selector: { matchLabels: { j: 'x' } } };
    const shown = (labels: object) =>
      createErrors(jobRules, makeJob({ ...spec, template: template({}, labels) }))[0];
    expect(shown({ labels: {} })).to.include('Invalid value: map[string]string{}: `selector`');
    expect(shown({})).to.include('Invalid value: map[string]string(nil): `selector`');
  });
});

describe('jobRules.validateUpdate', () => {
  const prepared = (spec: object = {}): Job => {
    const job = makeJob(spec);
    jobRules.prepareForCreate?.(job, ruleContext);
    return job;
  };

  it('lets the number of pods change', () => {
    expect(
      updateErrors(
        jobRules,
        prepared({ parallelism: 3, completions: 1 }),
        prepared({ completions: 1, parallelism: 1 }),
      ),
    ).to.deep.equal([]);
  });

  it('freezes completions, selector and template', () => {
    expect(updateErrors(jobRules, prepared({ completions: 3 }), prepared({ completions: 2 }))).to.deep.equal([
      'spec.completions: Invalid value: 3: field is immutable',
    ]);
    const manual = (value: string): Job =>
      makeJob({
        manualSelector: true,
        selector: { matchLabels: { a: value } },
        template: template({}, { labels: { a: value } }),
      });
    const errors = updateErrors(jobRules, manual('b'), manual('c'));
    expect(errors[0]).to.equal(
      `spec.selector: Invalid value: ${shownSelector('"a":"b"')}: field is immutable`,
    );
    expect(errors[1]).to.match(
      /^spec\.template: Invalid value: core\.PodTemplateSpec\{.*: field is immutable$/,
    );
    expect(errors).to.have.length(2);
  });

  it('has no numbers below zero in the status', () => {
    const job = makeJob({}, { status: { active: -1, succeeded: -1, failed: -1 } });
    const expected = ['active', 'succeeded', 'failed'].map(
      (field) => `status.${field}: Invalid value: -1: ${negative}`,
    );
    expect(statusErrors(jobRules, job, makeJob())).to.deep.equal(expected);
  });
});

describe('cronJobRules.validate', () => {
  it('accepts a plain object', () => expect(createErrors(cronJobRules, makeCronJob())).to.deep.equal([]));

  it('refuses bad fields in the order of the reference', () => {
    const spec = {
      schedule: '',
      startingDeadlineSeconds: -1,
      concurrencyPolicy: 'Q',
      successfulJobsHistoryLimit: -2,
      failedJobsHistoryLimit: -3,
    };
    const jobSpec = { manualSelector: true, selector: { matchLabels: { a: 'b' } }, parallelism: -4 };
    expect(createErrors(cronJobRules, makeCronJob(spec, 'c', jobSpec))).to.deep.equal([
      'spec.schedule: Required value',
      `spec.startingDeadlineSeconds: Invalid value: -1: ${negative}`,
      'spec.concurrencyPolicy: Unsupported value: "Q": supported values: "Allow", "Forbid", "Replace"',
      `spec.jobTemplate.spec.parallelism: Invalid value: -4: ${negative}`,
      `spec.jobTemplate.spec.selector: Invalid value: ${shownSelector('"a":"b"')}: \`selector\` will be auto-generated`,
      'spec.jobTemplate.spec.manualSelector: Unsupported value: true: supported values: "nil", "false"',
      `spec.successfulJobsHistoryLimit: Invalid value: -2: ${negative}`,
      `spec.failedJobsHistoryLimit: Invalid value: -3: ${negative}`,
    ]);
  });

  it('limits the length of new names only', () => {
    const name = 'a'.repeat(53);
    expect(createErrors(cronJobRules, makeCronJob({}, name))).to.deep.equal([
      `metadata.name: Invalid value: "${name}": must be no more than 52 characters`,
    ]);
    expect(updateErrors(cronJobRules, makeCronJob({}, name), makeCronJob({}, name))).to.deep.equal([]);
  });

  it('says what is wrong with a schedule', () => {
    expect(createErrors(cronJobRules, makeCronJob({ schedule: 'x' }))).to.deep.equal([
      'spec.schedule: Invalid value: "x": Expected exactly 5 fields, found 1: x',
    ]);
  });
});

describe('scheduleProblem', () => {
  const fine = [
    '* * * * *',
    '*/5 0-23/2 1,15 jan-DEC ?',
    '0 0 1 1 SUN',
    '@daily',
    '@every 1h30m',
    '5/10 * * * *',
  ];
  for (const schedule of fine)
    it(`accepts ${schedule}`, () => expect(scheduleProblem(schedule)).to.equal(undefined));

  const cases: readonly (readonly [schedule: string, problem: string])[] = [
    ['', 'Empty spec string'],
    ['@nope', 'Unrecognized descriptor: @nope'],
    ['60 * * * *', 'End of range (60) above maximum (59): 60'],
    ['* * 0 * *', 'Beginning of range (0) below minimum (1): 0'],
    ['* 5-3 * * *', 'Beginning of range (5) beyond end of range (3): 5-3'],
    ['*/0 * * * *', 'Step of range should be a positive number: */0'],
    ['1-2-3 * * * *', 'Too many hyphens: 1-2-3'],
    ['1/2/3 * * * *', 'Too many slashes: 1/2/3'],
    ['x * * * *', 'Failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
    ['-1 * * * *', 'Failed to parse int from : strconv.Atoi: parsing "": invalid syntax'],
    ['* * * * 7', 'End of range (7) above maximum (6): 7'],
  ];
  for (const [schedule, problem] of cases) {
    it(`refuses ${JSON.stringify(schedule)}`, () => expect(scheduleProblem(schedule)).to.equal(problem));
  }

  it('refuses a duration that is none', () => {
    expect(scheduleProblem('@every x')).to.match(/^Failed to parse duration @every x: /);
  });
});
