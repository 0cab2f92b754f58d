import type { Pod } from '../../apis/types/core-v1.ts';

/** What a drain may do. */
export interface DrainLimits {
  readonly force: boolean;
  readonly ignoreDaemonsets: boolean;
  readonly deleteEmptydirData: boolean;
  /** Pods that have been ending for longer are passed over; 0: none are. */
  readonly skipWaitForDeleteTimeoutSeconds: number;
}

/** What becomes of a pod when its node is drained. */
export interface Verdict {
  readonly isToEnd: boolean;
  /** Told before the drain goes on. */
  readonly warning?: string;
  /** Keeps the drain from going on. */
  readonly refusal?: string;
}

/** What else a verdict needs to know. */
export interface PodSurroundings {
  /** Name of the annotation that pods of an agent's own files carry on the server. */
  readonly mirrorAnnotation: string;
  readonly nowMs: number;
  /** Why the daemon set that controls the pod could not be read; undefined when it is there, or the pod has none. */
  readonly daemonSetProblem?: { readonly text: string; readonly isNotFound: boolean } | undefined;
}

const end: Verdict = { isToEnd: true };
const pass: Verdict = { isToEnd: false };
const unmanaged = 'Pods not managed by ReplicationController, ReplicaSet, Job, DaemonSet or StatefulSet';

/** The owner that controls a pod. */
export function controllerOf({ metadata }: Pod) {
  return metadata.ownerReferences?.find(({ controller }) => controller === true);
}

/**
 * Whether a pod goes with its node, stays, or forbids the drain. The texts and the order of the checks are those of release
 * 1.20's client.
 */
export function judgePod(pod: Pod, limits: DrainLimits, around: PodSurroundings): Verdict {
  const skipSeconds = limits.skipWaitForDeleteTimeoutSeconds;
  if (skipSeconds > 0 && endingSeconds(pod, around.nowMs) > skipSeconds) return pass;
  const isFinished = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
  const controller = controllerOf(pod);
  let verdict = end;
  if (controller?.kind === 'DaemonSet' && !isFinished) {
    verdict = judgeDaemon(limits, around);
    if (!verdict.isToEnd) return verdict;
  }
  if (Object.hasOwn(pod.metadata.annotations ?? {}, around.mirrorAnnotation)) return pass;
  const hasLocalData = !isFinished && (pod.spec?.volumes ?? []).some(({ emptyDir }) => emptyDir != null);
  if (hasLocalData && !limits.deleteEmptydirData) {
    return refuse('Pods with local storage (use --delete-emptydir-data to override)');
  }
  if (hasLocalData) verdict = { isToEnd: true, warning: 'deleting Pods with local storage' };
  if (isFinished || controller !== undefined) return verdict;
  return limits.force
    ? { isToEnd: true, warning: `deleting ${unmanaged}` }
    : refuse(`${unmanaged} (use --force to override)`);
}

function judgeDaemon(limits: DrainLimits, { daemonSetProblem }: PodSurroundings): Verdict {
  if (daemonSetProblem !== undefined) {
    const { text, isNotFound } = daemonSetProblem;
    return isNotFound && limits.force ? { isToEnd: true, warning: text } : refuse(text);
  }
  return limits.ignoreDaemonsets
    ? { isToEnd: false, warning: 'ignoring DaemonSet-managed Pods' }
    : refuse('DaemonSet-managed Pods (use --ignore-daemonsets to ignore)');
}

function refuse(refusal: string): Verdict {
  return { isToEnd: false, refusal };
}

function endingSeconds({ metadata }: Pod, nowMs: number): number {
  const { deletionTimestamp } = metadata;
  return deletionTimestamp ? (nowMs - Date.parse(deletionTimestamp)) / 1000 : 0;
}

/** A pod and its verdict. */
export interface JudgedPod {
  readonly pod: Pod;
  readonly verdict: Verdict;
}

/** What keeps a drain from going on, one line per reason. */
export function listRefusals(pods: readonly JudgedPod[]): readonly string[] {
  return groupBy(pods, 'refusal').map(([why, names]) => `cannot delete ${why}: ${names.join(', ')}`);
}

/** What to tell before the drain, in one line; empty when there is nothing. */
export function joinWarnings(pods: readonly JudgedPod[]): string {
  return groupBy(pods, 'warning')
    .map(([why, names]) => `${why}: ${names.join(', ')}`)
    .join('; ');
}

function groupBy(pods: readonly JudgedPod[], field: 'refusal' | 'warning'): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const { pod, verdict } of pods) {
    const why = verdict[field];
    if (why === undefined) continue;
    const names = groups.get(why) ?? [];
    names.push(`${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`);
    groups.set(why, names);
  }
  return [...groups];
}
