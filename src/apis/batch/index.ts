/**
 * Rules of the group `batch`: jobs, and cron jobs with their schedules. It does not run them; that is the
 * controllers' work.
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { cronJobRules } from './cron-job.ts';
import { jobRules } from './job.ts';

export { type CronSchedule, parseCronSchedule, ScheduleError, scheduleProblem } from './cron-schedule.ts';
export { cronJobRules, jobRules };

/** Rules by storage kind. */
export const batchRules: KindRulesTable = {
  'batch/v1.Job': jobRules,
  'batch/v1beta1.CronJob': cronJobRules,
};
