import type { Pod } from '../../apis/types/core-v1.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import { isPodReady, readyConditionOf } from '../workloads/pod-state.ts';
import type { PodSample } from './readings.ts';

/** Why a number of replicas cannot be told; its message is shown to users. */
export class ReplicaCountError extends Error {
  override readonly name = 'ReplicaCountError';
}

/** What replicas are counted with. */
export interface CountContext {
  /** The replicas that the target asks for now. */
  readonly current: number;
  /** The replicas that it has, as its status says. */
  readonly observed: number;
  /** Those that the target selects. */
  readonly pods: readonly Pod[];
  /** A ratio of use so near to 1 changes nothing. */
  readonly tolerance: number;
  readonly cpuInitializationPeriodMs: number;
  readonly initialReadinessDelayMs: number;
  readonly nowMs: number;
}

/** How many replicas a metric calls for, and what was used. */
export interface ReplicaCount {
  readonly replicas: number;
  /** Of each pod on average, in thousandths; of all together where that was asked for. */
  readonly usedMilli: bigint;
  /** In percent of what pods request, where that was asked for. */
  readonly usedPercent?: number | undefined;
}

/** The use of pods, against what they should use. */
interface Ratio {
  readonly ratio: number;
  readonly usedMilli: bigint;
  readonly usedPercent?: number | undefined;
}

type Samples = Map<string, bigint>;

/** Numbers of replicas are 32 bits wide. */
const maxReplicas = 2 ** 31 - 1;
const noPods = 'no pods returned by selector while calculating replica count';

/**
 * The replicas after which pods use so many percent of what they request. Pure. `container` empty: all of them. Source: release
 * 1.20, `GetResourceReplicas`.
 *
 * @throws ReplicaCountError
 */
export function countByUtilization(
  samples: ReadonlyMap<string, PodSample>,
  target: { readonly percent: number; readonly resource: string; readonly container: string },
  context: CountContext,
): ReplicaCount {
  const groups = groupPods(samples, target.resource, context);
  const requests = requestsOf(context.pods, target);
  const ratioOf = (used: Samples): Ratio => utilizationRatio(used, requests, target.percent);
  return countBalanced(groups, context, {
    ratioOf,
    missingUse: (name) => requests.get(name) ?? 0n,
    keepsDirection: true,
  });
}

/**
 * The replicas after which each pod uses so much on average. Pure. `resource` empty: not one of theirs. Source: release 1.20,
 * `calcPlainMetricReplicas`.
 *
 * @throws ReplicaCountError
 */
export function countByAverage(
  samples: ReadonlyMap<string, PodSample>,
  { targetMilli, resource }: { readonly targetMilli: bigint; readonly resource: string },
  context: CountContext,
): ReplicaCount {
  const ratioOf = (used: Samples): Ratio => {
    const usedMilli = sum(used.values()) / BigInt(used.size);
    return { ratio: Number(usedMilli) / Number(targetMilli), usedMilli };
  };
  return countBalanced(groupPods(samples, resource, context), context, {
    ratioOf,
    missingUse: () => targetMilli,
    keepsDirection: false,
  });
}

/**
 * The replicas after which a value that all of them share is as it should be. Pure. Source: release 1.20, `getUsageRatioReplicaCount`.
 *
 * @throws ReplicaCountError
 */
export function countByTotal(
  usedMilli: bigint,
  targetMilli: bigint,
  { current, pods, tolerance }: CountContext,
): ReplicaCount {
  const ratio = Number(usedMilli) / Number(targetMilli);
  if (current === 0) return { replicas: bounded(ratio), usedMilli };
  if (isWithin(ratio, tolerance)) return { replicas: current, usedMilli };
  if (pods.length === 0) throw new ReplicaCountError(`unable to calculate ready pods: ${noPods}`);
  const ready = pods.filter((pod) => pod.status?.phase === 'Running' && isPodReady(pod)).length;
  return { replicas: bounded(ratio * ready), usedMilli };
}

/** The replicas among which a value is shared so that each has its part. Pure. Source: release 1.20, `GetExternalPerPodMetricReplicas`. */
export function countByShare(
  usedMilli: bigint,
  targetMilli: bigint,
  { observed, tolerance }: CountContext,
): ReplicaCount {
  const ratio = Number(usedMilli) / (Number(targetMilli) * observed);
  const replicas = isWithin(ratio, tolerance) ? observed : bounded(Number(usedMilli) / Number(targetMilli));
  return { replicas, usedMilli: observed === 0 ? usedMilli : ceilDivide(usedMilli, BigInt(observed)) };
}

interface PodGroups {
  readonly ready: number;
  /** Use of the pods that count. */
  readonly used: Samples;
  /** They have not begun to work, or their use says nothing yet. */
  readonly ignored: readonly string[];
  /** Nobody measured them. */
  readonly missing: readonly string[];
}

/** @throws ReplicaCountError when there are no pods, or none that was measured. */
function groupPods(
  samples: ReadonlyMap<string, PodSample>,
  resource: string,
  context: CountContext,
): PodGroups {
  if (context.pods.length === 0) throw new ReplicaCountError(noPods);
  const used: Samples = new Map([...samples].map(([name, { milli }]) => [name, milli]));
  const ignored: string[] = [];
  const missing: string[] = [];
  let ready = 0;
  for (const pod of context.pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    if (deletionTimestamp || pod.status?.phase === 'Failed') continue;
    const sample = samples.get(name);
    if (pod.status?.phase === 'Pending') ignored.push(name);
    else if (sample === undefined) missing.push(name);
    else if (resource === 'cpu' && isWarmingUp(pod, sample, context)) ignored.push(name);
    else ready++;
  }
  for (const name of ignored) used.delete(name);
  return { ready, used, ignored, missing };
}

/** Whether what a pod used is that of its start: it is not ready, or was not for all the time that was measured. */
function isWarmingUp(pod: Pod, sample: PodSample, context: CountContext): boolean {
  const condition = readyConditionOf(pod);
  const startTime = pod.status?.startTime;
  if (condition === undefined || !startTime) return true;
  const startMs = Date.parse(startTime);
  const changedMs = Date.parse(condition.lastTransitionTime ?? '');
  const isUnready = condition.status === 'False';
  if (startMs + context.cpuInitializationPeriodMs > context.nowMs) {
    return isUnready || sample.atMs < changedMs + sample.windowMs;
  }
  return isUnready && startMs + context.initialReadinessDelayMs > changedMs;
}

interface Balance {
  readonly ratioOf: (used: Samples) => Ratio;
  /** What a pod that nobody measured counts for when pods might go. */
  readonly missingUse: (name: string) => bigint;
  readonly keepsDirection: boolean;
}

/**
 * Pods that were not measured, or do not work yet, count against a change: as if they used all of their part before pods go,
 * and nothing before pods are added.
 */
function countBalanced(
  { ready, used, ignored, missing }: PodGroups,
  context: CountContext,
  balance: Balance,
): ReplicaCount {
  const { current, tolerance } = context;
  if (used.size === 0) throw new ReplicaCountError('did not receive metrics for any ready pods');
  const { ratio, ...shown } = balance.ratioOf(used);
  const addsIgnored = ignored.length > 0 && ratio > 1;
  if (!addsIgnored && missing.length === 0) {
    return { ...shown, replicas: isWithin(ratio, tolerance) ? current : bounded(ratio * ready) };
  }
  const all: Samples = new Map(used);
  // At just 1, utilization leaves out what was not measured.
  if (ratio !== 1 || !balance.keepsDirection) {
    for (const name of missing) all.set(name, ratio < 1 ? balance.missingUse(name) : 0n);
  }
  if (addsIgnored) for (const name of ignored) all.set(name, 0n);
  const { ratio: balanced } = balance.ratioOf(all);
  const turns = (ratio < 1 && balanced > 1) || (ratio > 1 && balanced < 1);
  if (isWithin(balanced, tolerance) || turns) return { ...shown, replicas: current };
  const replicas = bounded(balanced * all.size);
  const contradicts = (balanced < 1 && replicas > current) || (balanced > 1 && replicas < current);
  return { ...shown, replicas: balance.keepsDirection && contradicts ? current : replicas };
}

/** @throws ReplicaCountError */
function utilizationRatio(used: Samples, requests: ReadonlyMap<string, bigint>, percent: number): Ratio {
  const known = [...used].filter(([name]) => requests.has(name));
  const requested = sum(known.map(([name]) => requests.get(name) ?? 0n));
  if (requested === 0n) throw new ReplicaCountError('no metrics returned matched known pods');
  const total = sum(known.map(([, milli]) => milli));
  const usedPercent = Number((total * 100n) / requested);
  return { ratio: usedPercent / percent, usedPercent, usedMilli: total / BigInt(known.length) };
}

/** What each pod requests. @throws ReplicaCountError when one does not say. */
function requestsOf(
  pods: readonly Pod[],
  { resource, container }: { readonly resource: string; readonly container: string },
): Map<string, bigint> {
  const requests = new Map<string, bigint>();
  for (const { metadata, spec } of pods) {
    let requested = 0n;
    for (const { name, resources } of spec?.containers ?? []) {
      if (container !== '' && container !== name) continue;
      const request = resources?.requests?.[resource];
      if (request === undefined) throw new ReplicaCountError(`missing request for ${resource}`);
      requested += milliOf(request);
    }
    requests.set(metadata.name ?? '', requested);
  }
  return requests;
}

/** A quantity in thousandths, rounded up. @throws QuantityError */
export const milliOf = (quantity: string): bigint => quantityValue(parseQuantity(quantity), -3);

const isWithin = (ratio: number, tolerance: number): boolean => Math.abs(1 - ratio) <= tolerance;

const bounded = (replicas: number): number => Math.min(Math.ceil(replicas), maxReplicas);

function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}

const ceilDivide = (value: bigint, by: bigint): bigint => (value + by - 1n) / by;
