import type { Job, JobCondition, JobStatus } from '../../apis/types/batch-v1.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { formatTime } from '../../machinery/values/index.ts';
import { isPodActive } from '../workloads/pod-state.ts';

/** Why a job has failed, in its condition and in an event. */
export interface JobFailure {
  readonly reason: 'BackoffLimitExceeded' | 'DeadlineExceeded';
  readonly message: string;
}

/** The pods of a job, as they count for it. */
export interface JobCounts {
  readonly active: readonly Pod[];
  readonly succeeded: number;
  readonly failed: number;
}

/** The condition that tells how a job has ended; undefined for one that has not. */
export const endConditionOf = ({ status }: Pick<Job, 'status'>): JobCondition | undefined =>
  status.conditions?.find(
    ({ type, status: is }) => (type === 'Complete' || type === 'Failed') && is === 'True',
  );

export const isJobFinished = (job: Pick<Job, 'status'>): boolean => endConditionOf(job) !== undefined;

export function countPods(pods: readonly Pod[]): JobCounts {
  return {
    active: pods.filter(isPodActive),
    succeeded: pods.filter(({ status }) => status?.phase === 'Succeeded').length,
    failed: pods.filter(({ status }) => status?.phase === 'Failed').length,
  };
}

export const hasNewFailure = ({ status }: Job, { failed }: JobCounts): boolean =>
  failed > (status.failed ?? 0);

/** When a job is decided, and how often it had to be tried again before. */
export interface JobMoment {
  readonly nowMs: number;
  readonly retries: number;
}

/**
 * Whether a job is to be given up, and why. Pure. A failure that is no news does not count again; pods that restart in place count
 * by their restarts. Source: release 1.20, `syncJob`.
 */
export function decideFailure(
  job: Job,
  pods: readonly Pod[],
  { nowMs, retries }: JobMoment,
): JobFailure | undefined {
  const counts = countPods(pods);
  const { parallelism = 1, backoffLimit = 6 } = job.spec;
  const exceedsRetries =
    hasNewFailure(job, counts) && counts.active.length !== parallelism && retries + 1 > backoffLimit;
  if (exceedsRetries || exceedsRestarts(job, pods)) {
    return { reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' };
  }
  const deadlineMs = deadlineOf(job);
  if (deadlineMs !== undefined && nowMs >= deadlineMs) {
    return { reason: 'DeadlineExceeded', message: 'Job was active longer than specified deadline' };
  }
  return undefined;
}

function exceedsRestarts({ spec }: Job, pods: readonly Pod[]): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    const { initContainerStatuses = [], containerStatuses = [] } = status;
    for (const { restartCount } of [...initContainerStatuses, ...containerStatuses]) restarts += restartCount;
  }
  // No restart at all has not exceeded a limit of 0.
  return restarts >= Math.max(spec.backoffLimit ?? 6, 1);
}

/** When the time of a job ends, in milliseconds; undefined for one that has not started or has all the time. */
export function deadlineOf({ spec, status }: Job): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || !status.startTime) return undefined;
  return Date.parse(status.startTime) + spec.activeDeadlineSeconds * 1000;
}

/**
 * How many pods a job lacks; negative for those that it has too many. Pure. After the first success of a job without a number
 * of completions, no more are begun. Source: release 1.20, `manageJob`.
 */
export function decideDifference({ spec }: Job, { active, succeeded }: JobCounts): number {
  const { parallelism = 1, completions } = spec;
  if (active.length >= parallelism) return parallelism - active.length;
  if (completions === undefined) return succeeded > 0 ? 0 : parallelism - active.length;
  return Math.max(0, Math.min(completions - succeeded, parallelism) - active.length);
}

/** An event that tells how a job came to its end. */
export interface JobEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** A job's end: whether it is complete, and what to tell of it. Pure. `active` counts what was just created or deleted. */
export function decideCompletion(
  { spec: { completions } }: Job,
  { active, succeeded }: { readonly active: number; readonly succeeded: number },
): { readonly isComplete: boolean; readonly events: readonly JobEvent[] } {
  const isComplete = completions === undefined ? succeeded > 0 && active === 0 : succeeded >= completions;
  if (!isComplete) return { isComplete, events: [] };
  const tooMany = (what: string, reason: string): JobEvent => ({
    type: 'Warning',
    reason,
    message: `Too many ${what} pods running after completion count reached`,
  });
  return {
    isComplete,
    events: [
      ...(completions !== undefined && active > 0 ? [tooMany('active', 'TooManyActivePods')] : []),
      ...(completions !== undefined && succeeded > completions
        ? [tooMany('succeeded', 'TooManySucceededPods')]
        : []),
      { type: 'Normal', reason: 'Completed', message: 'Job completed' },
    ],
  };
}

/** What is known of a job after its pods were managed. */
export interface JobOutcome {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly isComplete: boolean;
  readonly failure: JobFailure | undefined;
  readonly nowMs: number;
}

/** The status that a job is to have; undefined when it has it. Pure. That it has started is told with the first pods. */
export function decideJobStatus({ status }: Job, outcome: JobOutcome): JobStatus | undefined {
  const { active, succeeded, failed, isComplete, failure, nowMs } = outcome;
  const isSame =
    active === (status.active ?? 0) &&
    succeeded === (status.succeeded ?? 0) &&
    failed === (status.failed ?? 0);
  if (isSame && !isComplete && failure === undefined) return undefined;
  const now = formatTime(nowMs);
  const times = { lastProbeTime: now, lastTransitionTime: now };
  const conditions: JobCondition[] = [...(status.conditions ?? [])];
  if (failure !== undefined) conditions.push({ type: 'Failed', status: 'True', ...times, ...failure });
  if (isComplete) conditions.push({ type: 'Complete', status: 'True', ...times });
  return {
    ...(conditions.length > 0 && { conditions }),
    startTime: status.startTime ?? now,
    ...(isComplete && { completionTime: now }),
    ...(active > 0 && { active }),
    ...(succeeded > 0 && { succeeded }),
    ...(failed > 0 && { failed }),
  };
}
