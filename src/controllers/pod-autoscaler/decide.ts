import type { Scale } from '../../apis/types/autoscaling-v1.ts';
import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../apis/types/autoscaling-v2beta2.ts';
import type { Pod } from '../../apis/types/core-v1.ts';
import { parseLabelSelector, SelectorError } from '../../machinery/selectors/index.ts';
import { formatTime } from '../../machinery/values/index.ts';
import { historyAfter, limitReplicas, type ScaleHistory } from './limits.ts';
import { type Proposal, propose } from './proposals.ts';
import type { Reading } from './readings.ts';

/** Bounds and delays of all autoscalers, by the names of their flags. */
export interface AutoscalerSettings {
  readonly horizontalPodAutoscalerDownscaleStabilizationMs: number;
  readonly horizontalPodAutoscalerTolerance: number;
  readonly horizontalPodAutoscalerCpuInitializationPeriodMs: number;
  readonly horizontalPodAutoscalerInitialReadinessDelayMs: number;
}

/** What an autoscaler is decided from. */
export interface AutoscalerState {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly scale: Scale;
  /** Those that the target selects; empty when `needsMetrics` says no. */
  readonly pods: readonly Pod[];
  /** One for each metric, in their order; empty when `needsMetrics` says no. */
  readonly readings: readonly Reading[];
  readonly history: ScaleHistory;
  readonly settings: AutoscalerSettings;
  readonly nowMs: number;
}

/** An event of an autoscaler. */
export interface AutoscalerEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What an autoscaler does next. */
export interface AutoscalerPlan {
  /** The size to give its target, and why; undefined: the one that it has. */
  readonly rescale: { readonly replicas: number; readonly reason: string } | undefined;
  /** To be written when the target has its size, or needs none. */
  readonly status: HorizontalPodAutoscalerStatus;
  readonly events: readonly AutoscalerEvent[];
  readonly history: ScaleHistory;
}

/** Whether the size of a target depends on metrics, and is not out of bounds or switched off. Pure. */
export function needsMetrics({ spec }: HorizontalPodAutoscaler, scale: Scale): boolean {
  const current = scale.spec.replicas ?? 0;
  const { minReplicas = 1, maxReplicas } = spec;
  return current >= minReplicas && current <= maxReplicas && Boolean(scale.status?.selector);
}

/** The size that a target should have, and the status that tells of it. Pure. Source: release 1.20, `reconcileAutoscaler`. */
export function decideAutoscaler(state: AutoscalerState): AutoscalerPlan {
  const { autoscaler, scale, nowMs, history } = state;
  const { minReplicas = 1, maxReplicas } = autoscaler.spec;
  const current = scale.spec.replicas ?? 0;
  const conditions = new Conditions(autoscaler.status.conditions ?? [], nowMs);
  conditions.set('AbleToScale', 'True', {
    reason: 'SucceededGetScale',
    message: "the HPA controller was able to get the target's current scale",
  });
  const basic = { current, metrics: [], autoscaler, conditions };
  if (current === 0 && minReplicas !== 0) {
    conditions.set('ScalingActive', 'False', {
      reason: 'ScalingDisabled',
      message: 'scaling is disabled since the replica count of the target is zero',
    });
    return { rescale: undefined, status: statusOf({ ...basic, desired: 0 }), events: [], history };
  }
  const bound = (replicas: number, reason: string): AutoscalerPlan => ({
    rescale: { replicas, reason: `Current number of replicas ${reason}` },
    status: statusOf({ ...basic, desired: replicas }),
    events: [],
    history,
  });
  if (current > maxReplicas) return bound(maxReplicas, 'above Spec.MaxReplicas');
  if (current < minReplicas) return bound(minReplicas, 'below Spec.MinReplicas');
  return decideByMetrics(state, conditions);
}

function decideByMetrics(state: AutoscalerState, conditions: Conditions): AutoscalerPlan {
  const { autoscaler, scale, history, settings, nowMs } = state;
  const { minReplicas = 1, maxReplicas, behavior } = autoscaler.spec;
  const current = scale.spec.replicas ?? 0;
  const found = summarize(state, conditions);
  if (found.kind === 'failed') {
    // What was known before stays.
    const { currentMetrics, desiredReplicas } = autoscaler.status;
    const before = { current, desired: desiredReplicas, metrics: currentMetrics, autoscaler, conditions };
    const event = warning('FailedComputeMetricsReplicas', found.error);
    return { rescale: undefined, status: statusOf(before), events: [...found.events, event], history };
  }
  const limit = limitReplicas({
    ...{ current, desired: found.replicas, min: minReplicas, max: maxReplicas, behavior, history, nowMs },
    downscaleStabilizationMs: settings.horizontalPodAutoscalerDownscaleStabilizationMs,
  });
  conditions.set('AbleToScale', 'True', limit.stabilized ?? readyForNewScale);
  conditions.set('ScalingLimited', limit.isLimited ? 'True' : 'False', limit.limit);
  const reason =
    found.replicas > current
      ? `${found.metric} above target`
      : found.replicas < current
        ? 'All metrics below target'
        : '';
  const { metrics } = found;
  return {
    rescale: limit.replicas === current ? undefined : { replicas: limit.replicas, reason },
    status: statusOf({ current, desired: limit.replicas, metrics, autoscaler, conditions }),
    events: found.events,
    history: { ...history, recommendations: limit.recommendations },
  };
}

const readyForNewScale = { reason: 'ReadyForNewScale', message: 'recommended size matches current size' };

type Summary =
  | {
      readonly kind: 'replicas';
      readonly replicas: number;
      readonly metric: string;
      readonly metrics: readonly MetricStatus[];
      readonly events: readonly AutoscalerEvent[];
    }
  | { readonly kind: 'failed'; readonly error: string; readonly events: readonly AutoscalerEvent[] };

/** What all metrics together call for: as many replicas as the one that calls for most. */
function summarize(state: AutoscalerState, conditions: Conditions): Summary {
  const { autoscaler, scale, readings, settings, pods, nowMs } = state;
  const problem = selectorProblem(scale);
  if (problem !== undefined) {
    const { event, condition } = problem;
    conditions.set('ScalingActive', 'False', { reason: 'InvalidSelector', message: condition });
    return { kind: 'failed', error: event.message, events: [event] };
  }
  const specs = autoscaler.spec.metrics ?? [];
  const context = {
    current: scale.spec.replicas ?? 0,
    observed: scale.status.replicas,
    ...{ pods, nowMs, namespace: autoscaler.metadata.namespace ?? '' },
    tolerance: settings.horizontalPodAutoscalerTolerance,
    cpuInitializationPeriodMs: settings.horizontalPodAutoscalerCpuInitializationPeriodMs,
    initialReadinessDelayMs: settings.horizontalPodAutoscalerInitialReadinessDelayMs,
  };
  const unread: Reading = { kind: 'failed', message: 'not read' };
  const proposals = specs.map((spec, at) => propose(spec, readings[at] ?? unread, context));
  const failed = proposals.filter((proposal) => proposal.kind === 'failed');
  const events = failed.map(({ reason, cause }) => warning(reason, cause));
  const best = bestOf(proposals);
  if (best === undefined) {
    const [first] = failed;
    const message = `the HPA was unable to compute the replica count: ${first?.cause}`;
    conditions.set('ScalingActive', 'False', { reason: first?.reason ?? '', message });
    const counts = `${failed.length} invalid out of ${specs.length}`;
    return {
      kind: 'failed',
      error: `invalid metrics (${counts}), first error is: ${first?.error}`,
      events,
    };
  }
  conditions.set('ScalingActive', 'True', {
    reason: 'ValidMetricFound',
    message: `the HPA was able to successfully calculate a replica count from ${best.metric}`,
  });
  // A metric that failed keeps its place, empty.
  const metrics = proposals.map((each) => (each.kind === 'failed' ? { type: '' } : each.status));
  return { kind: 'replicas', replicas: best.replicas, metric: best.metric, metrics, events };
}

function bestOf(proposals: readonly Proposal[]): Extract<Proposal, { kind: 'replicas' }> | undefined {
  let best: Extract<Proposal, { kind: 'replicas' }> | undefined;
  for (const proposal of proposals) {
    if (proposal.kind === 'failed') continue;
    if (best === undefined || best.replicas === 0 || proposal.replicas > best.replicas) best = proposal;
  }
  return best;
}

function selectorProblem(
  scale: Scale,
): { readonly event: AutoscalerEvent; readonly condition: string } | undefined {
  const { selector = '' } = scale.status;
  if (selector === '') {
    const event = warning('SelectorRequired', 'selector is required');
    return { event, condition: "the HPA target's scale is missing a selector" };
  }
  try {
    parseLabelSelector(selector);
    return undefined;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    const message = `couldn't convert selector into a corresponding internal selector object: ${error.message}`;
    return { event: warning('InvalidSelector', message), condition: message };
  }
}

/** What is to be written after the target could not be found, or has no size. Pure. */
export function statusWithoutScale(
  { status }: HorizontalPodAutoscaler,
  error: string,
  nowMs: number,
): HorizontalPodAutoscalerStatus {
  const conditions = new Conditions(status.conditions ?? [], nowMs);
  const message = `the HPA controller was unable to get the target's current scale: ${error}`;
  conditions.set('AbleToScale', 'False', { reason: 'FailedGetScale', message });
  return { ...status, conditions: conditions.list };
}

/** What became of an autoscaler's plan to give its target another size. */
export interface RescaleOutcome {
  readonly from: number;
  readonly nowMs: number;
  /** Undefined: it was done. */
  readonly error: string | undefined;
}

/** What is written, told and remembered after the target was to get another size. Pure. */
export function afterRescale(
  plan: AutoscalerPlan,
  autoscaler: HorizontalPodAutoscaler,
  { from, nowMs, error }: RescaleOutcome,
): AutoscalerPlan {
  const { rescale } = plan;
  if (rescale === undefined) return plan;
  const { replicas, reason } = rescale;
  const conditions = new Conditions(plan.status.conditions ?? [], nowMs);
  if (error !== undefined) {
    const message = `the HPA controller was unable to update the target scale: ${error}`;
    conditions.set('AbleToScale', 'False', { reason: 'FailedUpdateScale', message });
    const { desiredReplicas, currentMetrics } = autoscaler.status;
    const told = warning('FailedRescale', `New size: ${replicas}; reason: ${reason}; error: ${error}`);
    return {
      ...plan,
      status: { ...plan.status, desiredReplicas, currentMetrics, conditions: conditions.list },
      events: [...plan.events, told],
    };
  }
  conditions.set('AbleToScale', 'True', {
    reason: 'SucceededRescale',
    message: `the HPA controller was able to update the target scale to ${replicas}`,
  });
  const message = `New size: ${replicas}; reason: ${reason}`;
  return {
    ...plan,
    status: { ...plan.status, conditions: conditions.list, lastScaleTime: formatTime(nowMs) },
    events: [...plan.events, { type: 'Normal', reason: 'SuccessfulRescale', message }],
    history: historyAfter(plan.history, { from, to: replicas, nowMs }, autoscaler.spec.behavior),
  };
}

interface StatusParts {
  readonly autoscaler: HorizontalPodAutoscaler;
  readonly current: number;
  readonly desired: number;
  readonly metrics: readonly MetricStatus[] | null;
  readonly conditions: Conditions;
}

function statusOf({
  autoscaler,
  current,
  desired,
  metrics,
  conditions,
}: StatusParts): HorizontalPodAutoscalerStatus {
  const { lastScaleTime } = autoscaler.status;
  return {
    ...(lastScaleTime && { lastScaleTime }),
    currentReplicas: current,
    desiredReplicas: desired,
    currentMetrics: metrics && [...metrics],
    conditions: conditions.list,
  };
}

/** Conditions in the order in which they were first set. */
class Conditions {
  readonly list: HorizontalPodAutoscalerCondition[];
  readonly #now: string;

  constructor(before: readonly HorizontalPodAutoscalerCondition[], nowMs: number) {
    this.list = [...before];
    this.#now = formatTime(nowMs);
  }

  set(
    type: string,
    status: 'True' | 'False',
    { reason, message }: { readonly reason: string; readonly message: string },
  ): void {
    const at = this.list.findIndex((condition) => condition.type === type);
    const before = this.list[at];
    const lastTransitionTime = before?.status === status ? before.lastTransitionTime : this.#now;
    this.list[at === -1 ? this.list.length : at] = { type, status, lastTransitionTime, reason, message };
  }
}

const warning = (reason: string, message: string): AutoscalerEvent => ({ type: 'Warning', reason, message });
