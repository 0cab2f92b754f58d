import type {
  MetricIdentifier,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../apis/types/autoscaling-v2beta2.ts';
import type { LabelSelector } from '../../apis/types/meta-v1.ts';
import { canonicalQuantity } from '../../machinery/values/index.ts';
import type { PodSample, Reading } from './readings.ts';
import {
  type CountContext,
  countByAverage,
  countByShare,
  countByTotal,
  countByUtilization,
  milliOf,
  type ReplicaCount,
  ReplicaCountError,
} from './replica-count.ts';

/** What one metric calls for. */
export type Proposal =
  | {
      readonly kind: 'replicas';
      readonly replicas: number;
      /** What the metric is called in events. */
      readonly metric: string;
      readonly status: MetricStatus;
    }
  | {
      readonly kind: 'failed';
      readonly reason: string;
      /** What went wrong, as the condition and the event of the metric tell it. */
      readonly cause: string;
      /** The same as a part of what went wrong with all metrics. */
      readonly error: string;
    };

/** What a proposal is made from. */
export interface ProposalContext extends CountContext {
  readonly namespace: string;
}

/** How many replicas a metric calls for, or why that is unknown. Pure. Texts: release 1.20, `computeReplicasForMetric`. */
export function propose(spec: MetricSpec, reading: Reading, context: ProposalContext): Proposal {
  switch (spec.type) {
    case 'Resource':
      return proposeResource(spec, reading, context);
    case 'ContainerResource':
      return proposeContainerResource(spec, reading, context);
    case 'Pods':
      return proposePods(spec, reading, context);
    case 'Object':
      return proposeObject(spec, reading, context);
    case 'External':
      return proposeExternal(spec, reading, context);
    default: {
      const cause = `unknown metric source type "${spec.type}"`;
      return { kind: 'failed', reason: 'InvalidMetricSourceType', cause, error: cause };
    }
  }
}

function proposeResource(
  { type, resource }: MetricSpec,
  reading: Reading,
  context: ProposalContext,
): Proposal {
  if (resource === undefined) return missingSource(type);
  const { name, target } = resource;
  return attempt(
    () => {
      const { current, ...proposal } = countResource({ name, container: '', target }, reading, context);
      return { ...proposal, status: { type, resource: { name, current } } };
    },
    { reason: 'FailedGetResourceMetric', causeOf: (text) => text, errorOf: (text) => text },
  );
}

function proposeContainerResource(
  { type, containerResource }: MetricSpec,
  reading: Reading,
  context: ProposalContext,
): Proposal {
  if (containerResource === undefined) return missingSource(type);
  const { name, container, target } = containerResource;
  return attempt(
    () => {
      const { current, ...proposal } = countResource({ name, container, target }, reading, context);
      return { ...proposal, status: { type, containerResource: { name, container, current } } };
    },
    {
      reason: 'FailedGetContainerResourceMetric',
      causeOf: (text) => text,
      errorOf: (text) => `failed to get ${container} container metric value: ${text}`,
    },
  );
}

interface ResourceTarget {
  readonly name: string;
  /** Empty: all of them. */
  readonly container: string;
  readonly target: MetricTarget;
}

/** @throws ReplicaCountError */
function countResource(
  { name, container, target }: ResourceTarget,
  reading: Reading,
  context: ProposalContext,
): { readonly replicas: number; readonly metric: string; readonly current: MetricValueStatus } {
  if (target.averageValue === undefined && target.averageUtilization === undefined) {
    const wanted = 'neither a utilization target nor a value target was set';
    throw new ReplicaCountError(`invalid resource metric source: ${wanted}`);
  }
  return prefixed(`failed to get ${name} utilization: `, () => {
    const samples = samplesOf(reading, `unable to get metrics for resource ${name}: `);
    if (target.averageValue !== undefined) {
      const targetMilli = milliOf(target.averageValue);
      const { replicas, usedMilli } = countByAverage(samples, { targetMilli, resource: name }, context);
      return { replicas, metric: `${name} resource`, current: { averageValue: quantityOf(usedMilli) } };
    }
    const wanted = { percent: target.averageUtilization ?? 0, resource: name, container };
    const { replicas, usedMilli, usedPercent } = countByUtilization(samples, wanted, context);
    return {
      replicas,
      metric: `${name} resource utilization (percentage of request)`,
      current: { averageUtilization: usedPercent, averageValue: quantityOf(usedMilli) },
    };
  });
}

function proposePods({ type, pods }: MetricSpec, reading: Reading, context: ProposalContext): Proposal {
  if (pods === undefined) return missingSource(type);
  const { metric, target } = pods;
  return attempt(
    () => {
      const samples = samplesOf(reading, `unable to get metric ${metric.name}: `);
      const targetMilli = milliOf(target.averageValue ?? '0');
      const { replicas, usedMilli } = countByAverage(samples, { targetMilli, resource: '' }, context);
      const current = { averageValue: quantityOf(usedMilli) };
      return { replicas, metric: `pods metric ${metric.name}`, status: { type, pods: { metric, current } } };
    },
    {
      reason: 'FailedGetPodsMetric',
      causeOf: (text) => text,
      errorOf: (text) => `failed to get pods metric value: ${text}`,
    },
  );
}

function proposeObject({ type, object }: MetricSpec, reading: Reading, context: ProposalContext): Proposal {
  if (object === undefined) return missingSource(type);
  const { metric, target, describedObject } = object;
  const isShared = target.type === 'AverageValue';
  // The name and the error stand in this order in what clients know.
  const causeOf = (text: string): string =>
    `unable to get metric ${metric.name}: ${describedObject.kind} on ${context.namespace} ${describedObject.name}/${text}`;
  return attempt(
    () => {
      const { replicas, current } = countValue(reading, target, { context, isShared, causeOf });
      return {
        replicas,
        metric: isShared ? externalName(metric) : `${describedObject.kind} metric ${metric.name}`,
        status: {
          type,
          object: { metric, current, describedObject: isShared ? { kind: '', name: '' } : describedObject },
        },
      };
    },
    {
      reason: 'FailedGetObjectMetric',
      causeOf: (text) => text,
      errorOf: (text) =>
        `failed to get object metric value: ${isShared ? `failed to get ${metric.name} object metric: ` : ''}${text}`,
    },
  );
}

function proposeExternal(
  { type, external }: MetricSpec,
  reading: Reading,
  context: ProposalContext,
): Proposal {
  if (external === undefined) return missingSource(type);
  const { metric, target } = external;
  const isShared = target.averageValue !== undefined;
  const place = `${context.namespace}/${metric.name}/${formatSelector(metric.selector)}`;
  return attempt(
    () => {
      const causeOf = (text: string): string => `unable to get external metric ${place}: ${text}`;
      const { replicas, current } = countValue(reading, target, { context, isShared, causeOf });
      return { replicas, metric: externalName(metric), status: { type, external: { metric, current } } };
    },
    {
      reason: 'FailedGetExternalMetric',
      causeOf: (text) => text,
      errorOf: (text) =>
        isShared
          ? `failed to get ${metric.name} external metric: ${text}`
          : `failed to get external metric ${metric.name}: ${text}`,
    },
  );
}

interface ValueOptions {
  readonly context: ProposalContext;
  /** Whether replicas share the value, or all of them see the same one. */
  readonly isShared: boolean;
  /** What a failed reading is told as. */
  readonly causeOf: (text: string) => string;
}

/** @throws ReplicaCountError */
function countValue(
  reading: Reading,
  target: MetricTarget,
  { context, isShared, causeOf }: ValueOptions,
): { readonly replicas: number; readonly current: MetricValueStatus } {
  if (reading.kind !== 'total') {
    throw new ReplicaCountError(causeOf(reading.kind === 'failed' ? reading.message : 'no single value'));
  }
  const { milli } = reading;
  if (isShared) {
    const count = countByShare(milli, milliOf(target.averageValue ?? '0'), context);
    return { replicas: count.replicas, current: { averageValue: quantityOf(count.usedMilli) } };
  }
  const count: ReplicaCount = countByTotal(milli, milliOf(target.value ?? '0'), context);
  return { replicas: count.replicas, current: { value: quantityOf(count.usedMilli) } };
}

interface FailureTexts {
  readonly reason: string;
  readonly causeOf: (text: string) => string;
  readonly errorOf: (text: string) => string;
}

function attempt(
  count: () => { readonly replicas: number; readonly metric: string; readonly status: MetricStatus },
  { reason, causeOf, errorOf }: FailureTexts,
): Proposal {
  try {
    return { kind: 'replicas', ...count() };
  } catch (error) {
    if (!(error instanceof ReplicaCountError)) throw error;
    return { kind: 'failed', reason, cause: causeOf(error.message), error: errorOf(error.message) };
  }
}

/** The server refuses such a metric; one that was stored otherwise is told of. */
function missingSource(type: string): Proposal {
  const cause = `no source for the metric of type "${type}"`;
  return { kind: 'failed', reason: 'InvalidMetricSourceType', cause, error: cause };
}

/** @throws ReplicaCountError for a reading that failed */
function samplesOf(reading: Reading, prefix: string): ReadonlyMap<string, PodSample> {
  if (reading.kind === 'pods') return reading.samples;
  const text = reading.kind === 'failed' ? reading.message : 'no values of pods';
  throw new ReplicaCountError(prefix + text);
}

function prefixed<T>(prefix: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof ReplicaCountError) throw new ReplicaCountError(prefix + error.message);
    throw error;
  }
}

const externalName = ({ name, selector }: MetricIdentifier): string =>
  `external metric ${name}(${formatSelector(selector)})`;

const quantityOf = (milli: bigint): string => canonicalQuantity(`${milli}m`);

/** A selector as release 1.20 prints it in messages. */
export function formatSelector(selector: LabelSelector | undefined): string {
  if (selector === undefined) return 'nil';
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${(values ?? []).join(' ')}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join('')}},}`;
}
