import { asJsonObject } from '../../base/index.ts';
import { labelSelectorFromObject } from '../../machinery/selectors/index.ts';
import { formatHumanDuration } from '../printers/human-duration.ts';
import type { DescribeContext } from './describer.ts';
import { describeController, describeHead, describeMarks, describeName, selectorText } from './head.ts';
import { describePodTemplate } from './pod-template.ts';
import { asRecords, type Fields, formatTruth } from './report.ts';
import { formatLocalTime } from './times.ts';

const unset = '<unset>';

/** A job with its pods' phases and template. */
export async function describeJob(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const spec = asJsonObject(object.spec);
  const { startTime, completionTime, active, succeeded, failed } = asJsonObject(object.status);
  describeName(context);
  report.field(0, 'Selector', selectorText(object));
  describeMarks(context);
  describeController(context);
  if (spec.parallelism !== undefined) report.field(0, 'Parallelism', spec.parallelism);
  report.field(0, 'Completions', spec.completions ?? unset);
  if (startTime) report.field(0, 'Start Time', formatLocalTime(startTime));
  if (completionTime) report.field(0, 'Completed At', formatLocalTime(completionTime));
  if (startTime && completionTime) {
    const durationMs = Date.parse(String(completionTime)) - Date.parse(String(startTime));
    report.field(0, 'Duration', formatHumanDuration(durationMs));
  }
  describeDeadline(context, spec);
  report.field(
    0,
    'Pods Statuses',
    `${active ?? 0} Running / ${succeeded ?? 0} Succeeded / ${failed ?? 0} Failed`,
  );
  describePodTemplate(report, asJsonObject(spec.template), ctl.dialect);
}

/** A cron job with the jobs that it makes and those that are active. */
export async function describeCronJob(context: DescribeContext): Promise<void> {
  const { ctl, object, report } = context;
  const spec = asJsonObject(object.spec);
  const { lastScheduleTime, active } = asJsonObject(object.status);
  const job = asJsonObject(asJsonObject(spec.jobTemplate).spec);
  const names = asRecords(active).map(({ name }) => name);
  describeHead(context);
  report.field(0, 'Schedule', spec.schedule);
  report.field(0, 'Concurrency Policy', spec.concurrencyPolicy);
  report.field(0, 'Suspend', formatTruth(spec.suspend));
  report.field(0, 'Successful Job History Limit', spec.successfulJobsHistoryLimit ?? unset);
  report.field(0, 'Failed Job History Limit', spec.failedJobsHistoryLimit ?? unset);
  report.field(0, 'Starting Deadline Seconds', formatSeconds(spec.startingDeadlineSeconds));
  report.field(
    0,
    'Selector',
    job.selector === undefined ? unset : labelSelectorFromObject(asJsonObject(job.selector)).toString(),
  );
  report.field(0, 'Parallelism', job.parallelism ?? unset);
  report.field(0, 'Completions', job.completions ?? unset);
  describeDeadline(context, job);
  describePodTemplate(report, asJsonObject(job.template), ctl.dialect);
  report.field(0, 'Last Schedule Time', lastScheduleTime ? formatLocalTime(lastScheduleTime) : unset);
  report.field(0, 'Active Jobs', names.length === 0 ? '<none>' : names.join(', '));
}

function describeDeadline({ report }: DescribeContext, { activeDeadlineSeconds }: Fields): void {
  if (activeDeadlineSeconds !== undefined) {
    report.field(0, 'Active Deadline Seconds', formatSeconds(activeDeadlineSeconds));
  }
}

function formatSeconds(seconds: unknown): string {
  return seconds === undefined ? unset : `${seconds}s`;
}
