import type {
  HorizontalPodAutoscalerBehavior,
  HPAScalingRules,
} from '../../apis/types/autoscaling-v2beta2.ts';

/** A number of replicas that metrics called for. */
export interface Recommendation {
  readonly replicas: number;
  readonly atMs: number;
}

/** Replicas that were added or removed at once. */
export interface ScaleChange {
  readonly replicas: number;
  readonly atMs: number;
}

/** What an autoscaler did and found lately. */
export interface ScaleHistory {
  readonly recommendations: readonly Recommendation[];
  readonly added: readonly ScaleChange[];
  readonly removed: readonly ScaleChange[];
}

/** Between what, and from what, a number of replicas is chosen. */
export interface LimitContext {
  readonly current: number;
  /** What metrics call for. */
  readonly desired: number;
  readonly min: number;
  readonly max: number;
  readonly behavior: HorizontalPodAutoscalerBehavior | undefined;
  /** How long recommendations count before pods go, when the autoscaler does not say. */
  readonly downscaleStabilizationMs: number;
  readonly history: ScaleHistory;
  readonly nowMs: number;
}

/** A reason and a message, for conditions. */
export interface Explanation {
  readonly reason: string;
  readonly message: string;
}

/** A number of replicas within all limits. */
export interface Limited {
  readonly replicas: number;
  /** Undefined: no other recommendation was better. */
  readonly stabilized: Explanation | undefined;
  readonly isLimited: boolean;
  readonly limit: Explanation;
  readonly recommendations: readonly Recommendation[];
}

const within: Explanation = {
  reason: 'DesiredWithinRange',
  message: 'the desired count is within the acceptable range',
};
const tooMany: Explanation = {
  reason: 'TooManyReplicas',
  message: 'the desired replica count is more than the maximum replica count',
};
const tooFew: Explanation = {
  reason: 'TooFewReplicas',
  message: 'the desired replica count is less than the minimum replica count',
};
const tooFast: Explanation = {
  reason: 'ScaleUpLimit',
  message: 'the desired replica count is increasing faster than the maximum scale rate',
};
const tooFastDown: Explanation = {
  reason: 'ScaleDownLimit',
  message: 'the desired replica count is decreasing faster than the maximum scale rate',
};
const stabilizedUp: Explanation = {
  reason: 'ScaleUpStabilized',
  message: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
};
const stabilizedDown: Explanation = {
  reason: 'ScaleDownStabilized',
  message: 'recent recommendations were higher than current one, applying the highest recent recommendation',
};

/** Without rules of its own an autoscaler may double at once, or go to so many. */
const freeReplicas = 4;

/** Holds what metrics call for against what they called for lately, the bounds, and how fast it may go. Pure. Source: release 1.20, `normalizeDesiredReplicas`. */
export function limitReplicas(context: LimitContext): Limited {
  const { behavior, current, desired, nowMs, history } = context;
  const latest: Recommendation = { replicas: desired, atMs: nowMs };
  if (behavior === undefined) {
    const recommendations = history.recommendations.filter(
      ({ atMs }) => atMs >= nowMs - context.downscaleStabilizationMs,
    );
    const best = Math.max(desired, ...recommendations.map(({ replicas }) => replicas));
    return {
      ...limitWithoutRules(context, best),
      stabilized: best === desired ? undefined : stabilizedDown,
      recommendations: [...recommendations, latest],
    };
  }
  const upMs = (behavior.scaleUp?.stabilizationWindowSeconds ?? 0) * 1000;
  const ownDown = behavior.scaleDown?.stabilizationWindowSeconds;
  const downMs = ownDown === undefined ? context.downscaleStabilizationMs : ownDown * 1000;
  const isUp = desired >= current;
  const counted = history.recommendations
    .filter(({ atMs }) => atMs > nowMs - (isUp ? upMs : downMs))
    .map(({ replicas }) => replicas);
  const best = isUp ? Math.min(desired, ...counted) : Math.max(desired, ...counted);
  const kept = history.recommendations.filter(({ atMs }) => atMs >= nowMs - Math.max(upMs, downMs));
  return {
    ...limitByRules(context, best, behavior),
    stabilized: best === desired ? undefined : isUp ? stabilizedUp : stabilizedDown,
    recommendations: [...kept, latest],
  };
}

type Bounded = Pick<Limited, 'replicas' | 'isLimited' | 'limit'>;

const unlimited = (replicas: number): Bounded => ({ replicas, isLimited: false, limit: within });
const limited = (replicas: number, limit: Explanation): Bounded => ({ replicas, isLimited: true, limit });

function limitWithoutRules({ current, min, max }: LimitContext, desired: number): Bounded {
  const fastest = Math.max(2 * current, freeReplicas);
  if (desired < min) return limited(min, tooFew);
  if (desired > Math.min(max, fastest)) {
    return max > fastest ? limited(fastest, tooFast) : limited(max, tooMany);
  }
  return unlimited(desired);
}

function limitByRules(
  { current, min, max, history, nowMs }: LimitContext,
  desired: number,
  { scaleUp = {}, scaleDown = {} }: HorizontalPodAutoscalerBehavior,
): Bounded {
  if (desired > current) {
    // After a large step there may be no room for any more.
    const bound = Math.max(current, fastest(current, scaleUp, { changes: history.added, nowMs, sign: 1 }));
    if (desired > Math.min(max, bound)) {
      return max > bound ? limited(bound, tooFast) : limited(max, tooMany);
    }
  } else if (desired < current) {
    const bound = Math.min(
      current,
      fastest(current, scaleDown, { changes: history.removed, nowMs, sign: -1 }),
    );
    if (desired < Math.max(min, bound)) {
      return min < bound ? limited(bound, tooFastDown) : limited(min, tooFew);
    }
  }
  return unlimited(desired);
}

interface PastChanges {
  readonly changes: readonly ScaleChange[];
  readonly nowMs: number;
}

/** How far the rules of one direction let the number go; `sign` is 1 upwards and -1 downwards. */
function fastest(
  current: number,
  { selectPolicy, policies = [] }: HPAScalingRules,
  { sign, ...past }: PastChanges & { readonly sign: 1 | -1 },
): number {
  if (selectPolicy === 'Disabled') return current;
  const round = sign === 1 ? Math.ceil : Math.trunc;
  const proposals = policies.map(({ type, value, periodSeconds }) => {
    const before = current - sign * changedWithin(periodSeconds, past);
    return type === 'Pods' ? before + sign * value : round(before * (1 + (sign * value) / 100));
  });
  // Downwards the policy that changes least leaves most.
  const takesSmallest = (selectPolicy === 'Min') === (sign === 1);
  return takesSmallest ? Math.min(...proposals) : Math.max(...proposals);
}

const changedWithin = (periodSeconds: number, { changes, nowMs }: PastChanges): number =>
  changes
    .filter(({ atMs }) => atMs > nowMs - periodSeconds * 1000)
    .reduce((total, { replicas }) => total + replicas, 0);

/** The history after the number of replicas was changed. Pure. Without rules of its own an autoscaler needs none. */
export function historyAfter(
  history: ScaleHistory,
  { from, to, nowMs }: { readonly from: number; readonly to: number; readonly nowMs: number },
  behavior: HorizontalPodAutoscalerBehavior | undefined,
): ScaleHistory {
  if (behavior === undefined || from === to) return history;
  const keep = (changes: readonly ScaleChange[], { policies = [] }: HPAScalingRules = {}): ScaleChange[] => {
    const longestMs = Math.max(0, ...policies.map(({ periodSeconds }) => periodSeconds)) * 1000;
    return changes.filter(({ atMs }) => atMs >= nowMs - longestMs);
  };
  const change = { replicas: Math.abs(to - from), atMs: nowMs };
  return to > from
    ? { ...history, added: [...keep(history.added, behavior.scaleUp), change] }
    : { ...history, removed: [...keep(history.removed, behavior.scaleDown), change] };
}
