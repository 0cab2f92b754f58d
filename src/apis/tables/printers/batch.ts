import { parseTime } from '../../../machinery/values/index.ts';
import type { Job } from '../../types/batch-v1.ts';
import type { CronJob } from '../../types/batch-v1beta1.ts';
import { ageSince, formatAge } from '../age.ts';
import { containerCells, formatSelectorOrNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

/** Rows of jobs. */
export const jobPrinter: RowPrinter<Job> = {
  cells: (job, { nowMs }) => [
    job.metadata.name ?? '',
    formatCompletions(job),
    formatDuration(job, nowMs),
    ageSince(job.metadata.creationTimestamp, nowMs),
    ...containerCells(job.spec.template),
    formatSelectorOrNone(job.spec.selector),
  ],
};

function formatCompletions({ spec, status }: Job): string {
  const succeeded = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${succeeded}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function formatDuration({ status }: Job, nowMs: number): string {
  const { startTime, completionTime } = status;
  if (startTime === undefined || startTime === null) return '';
  const isRunning = completionTime === undefined || completionTime === null;
  return formatAge((isRunning ? nowMs : parseTime(completionTime)) - parseTime(startTime));
}

/** Rows of cron jobs. */
export const cronJobPrinter: RowPrinter<CronJob> = {
  cells: ({ metadata, spec, status }, { nowMs }) => [
    metadata.name ?? '',
    spec.schedule,
    spec.suspend === undefined ? '<unset>' : spec.suspend ? 'True' : 'False',
    status.active?.length ?? 0,
    formatLastSchedule(status.lastScheduleTime, nowMs),
    ageSince(metadata.creationTimestamp, nowMs),
    ...containerCells(spec.jobTemplate.spec.template),
    formatSelectorOrNone(spec.jobTemplate.spec.selector),
  ],
};

function formatLastSchedule(time: string | null | undefined, nowMs: number): string {
  return time === undefined || time === null ? '<none>' : ageSince(time, nowMs);
}
