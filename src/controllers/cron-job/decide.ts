import { type CronSchedule, parseCronSchedule, ScheduleError } from '../../apis/batch/index.ts';
import type { Job } from '../../apis/types/batch-v1.ts';
import type { CronJob, CronJobStatus } from '../../apis/types/batch-v1beta1.ts';
import type { ObjectReference } from '../../apis/types/core-v1.ts';
import { endConditionOf } from '../job/decide.ts';
import { controllerReference, type Owner } from '../workloads/claims.ts';
import { formatRfc1123, nextTime, type ZoneOffset } from './next-time.ts';

/** Who missed more times than these is not started, until somebody looks. */
const maxMissedTimes = 100;

/** An event of a cron job. */
export interface CronJobEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What is seen of the jobs of a cron job. */
export interface Observed {
  /** To be written; undefined when it is so already. */
  readonly status: CronJobStatus | undefined;
  readonly events: readonly CronJobEvent[];
}

/** The moment of a decision, and the zone that schedules are meant in. */
export interface CronMoment {
  readonly nowMs: number;
  readonly zone: ZoneOffset;
}

/** What is due now. */
export type Start =
  | {
      readonly kind: 'none';
      /** While the cron job stays as it is, nothing else is decided before; undefined: at any time. */
      readonly untilMs?: number | undefined;
    }
  | { readonly kind: 'refused'; readonly event: CronJobEvent }
  | {
      readonly kind: 'due';
      readonly scheduledMs: number;
      /** Jobs to be deleted before. */
      readonly replaced: readonly ObjectReference[];
    };

const nothing: Start = { kind: 'none' };

/** How a job has ended: `Complete` or `Failed`; undefined for one that has not. */
export const endOf = (job: Job): string | undefined => endConditionOf(job)?.type;

/**
 * Which of the active jobs of a cron job are still so. Pure. Jobs that it did not start are told of, and not counted. Source:
 * release 1.20, `syncOne`.
 */
export function observeJobs({ status }: CronJob, jobs: readonly Job[]): Observed {
  const events: CronJobEvent[] = [];
  let active = status.active ?? [];
  for (const job of jobs) {
    const { name, uid } = job.metadata;
    const isActive = active.some((reference) => reference.uid === uid);
    const end = endOf(job);
    if (!isActive && end === undefined) {
      const message = `Saw a job that the controller did not create or forgot: ${name}`;
      events.push({ type: 'Warning', reason: 'UnexpectedJob', message });
    } else if (isActive && end !== undefined) {
      active = active.filter((reference) => reference.uid !== uid);
      const message = `Saw completed job: ${name}, status: ${end}`;
      events.push({ type: 'Normal', reason: 'SawCompletedJob', message });
    }
  }
  const uids = new Set(jobs.map(({ metadata }) => metadata.uid));
  for (const { uid, name } of active.filter((reference) => !uids.has(reference.uid))) {
    active = active.filter((reference) => reference.uid !== uid);
    events.push({ type: 'Normal', reason: 'MissingJob', message: `Active job went missing: ${name}` });
  }
  const isSame = active.length === (status.active ?? []).length;
  return { status: isSame ? undefined : withActive(status, active), events };
}

/** A status with another list of active jobs. */
export function withActive(
  { lastScheduleTime }: CronJobStatus,
  active: readonly ObjectReference[],
): CronJobStatus {
  return { ...(active.length > 0 && { active: [...active] }), ...(lastScheduleTime && { lastScheduleTime }) };
}

/** Whether a job is to be started now, and for which time. Pure. Source: release 1.20, `syncOne`. */
export function decideStart(cronJob: CronJob, { nowMs, zone }: CronMoment): Start {
  const { metadata, spec, status } = cronJob;
  if (metadata.deletionTimestamp || spec.suspend === true) return nothing;
  const refuse = (reason: string, message: string): Start => ({
    kind: 'refused',
    event: { type: 'Warning', reason, message },
  });
  const times = unmetTimes(cronJob, { nowMs, zone });
  if (typeof times === 'string') {
    return refuse('FailedNeedsStart', `Cannot determine if job needs to be started: ${times}`);
  }
  const scheduledMs = times.latestMs;
  if (scheduledMs === undefined) return { kind: 'none', untilMs: times.nextMs };
  const { startingDeadlineSeconds, concurrencyPolicy } = spec;
  if (startingDeadlineSeconds !== undefined && scheduledMs + startingDeadlineSeconds * 1000 < nowMs) {
    const time = formatRfc1123(scheduledMs, zone);
    return refuse('MissSchedule', `Missed scheduled time to start a job: ${time}`);
  }
  const active = status.active ?? [];
  if (concurrencyPolicy === 'Forbid' && active.length > 0) return nothing;
  return { kind: 'due', scheduledMs, replaced: concurrencyPolicy === 'Replace' ? active : [] };
}

interface UnmetTimes {
  readonly latestMs: number | undefined;
  /** The first that has not come. */
  readonly nextMs: number;
}

/** The times since the last start that have come; why they cannot be told, as text. */
function unmetTimes({ metadata, spec, status }: CronJob, { nowMs, zone }: CronMoment): UnmetTimes | string {
  const schedule = readSchedule(spec.schedule);
  if (typeof schedule === 'string') return `unparseable schedule: ${spec.schedule} : ${schedule}`;
  let sinceMs = Date.parse(status.lastScheduleTime ?? metadata.creationTimestamp ?? '');
  if (spec.startingDeadlineSeconds !== undefined) {
    // Nothing older is started.
    sinceMs = Math.max(sinceMs, nowMs - spec.startingDeadlineSeconds * 1000);
  }
  if (sinceMs > nowMs) return { latestMs: undefined, nextMs: sinceMs };
  let latestMs: number | undefined;
  for (let missed = 0; missed <= maxMissedTimes; missed++) {
    const nextMs = nextTime(schedule, latestMs ?? sinceMs, zone);
    if (nextMs === undefined) break;
    if (nextMs > nowMs) return { latestMs, nextMs };
    latestMs = nextMs;
  }
  // A schedule that never comes counts as missed all the time: so it is told of.
  return 'too many missed start time (> 100). Set or decrease .spec.startingDeadlineSeconds or check clock skew';
}

function readSchedule(text: string): CronSchedule | string {
  try {
    return parseCronSchedule(text);
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
}

/** The job of a cron job for one of its times. Pure. Its name says the time, so that there is never a second one. */
export function jobFor({ spec }: CronJob, owner: Owner, scheduledMs: number): Job {
  const { metadata = {}, spec: jobSpec } = spec.jobTemplate;
  const { labels, annotations } = metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${owner.name}-${Math.floor(scheduledMs / 1000)}`,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: jobSpec,
    status: {},
  };
}

/** Jobs that have ended and are more than a cron job keeps, oldest first. Pure. Source: release 1.20, `cleanupFinishedJobs`. */
export function decideCleanup({ spec }: CronJob, jobs: readonly Job[]): Job[] {
  const oldest = (end: string, limit: number | undefined): Job[] => {
    if (limit === undefined) return [];
    const ended = jobs.filter((job) => endOf(job) === end).sort(compareByStart);
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [
    ...oldest('Complete', spec.successfulJobsHistoryLimit),
    ...oldest('Failed', spec.failedJobsHistoryLimit),
  ].filter(({ metadata }) => !metadata.deletionTimestamp);
}

/** Those that never started last. */
function compareByStart(a: Job, b: Job): number {
  const startOf = ({ status }: Job): number =>
    status.startTime ? Date.parse(status.startTime) : Number.POSITIVE_INFINITY;
  const [first, second] = [startOf(a), startOf(b)];
  if (first !== second) return first < second ? -1 : 1;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
