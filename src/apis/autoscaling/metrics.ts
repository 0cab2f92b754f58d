import { isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { ReceivedAutoscaler } from '../conversions/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { HorizontalPodAutoscaler, MetricSpec } from '../types/autoscaling-v1.ts';

/** Limits of how fast an autoscaler may act in one direction. */
export interface ScalingRules {
  readonly stabilizationWindowSeconds?: number | null;
  readonly selectPolicy?: string | null;
  readonly policies?: readonly ScalingPolicy[] | null;
}

/** One limit. */
export interface ScalingPolicy {
  readonly type: string;
  readonly value: number;
  readonly periodSeconds: number;
}

/** What the stored version of an autoscaler keeps in annotations, in the shape of the newest version. */
export interface AutoscalerExtras {
  /** All metrics: as they were received, or those of the annotation, then the CPU target. */
  readonly metrics: readonly Partial<MetricSpec>[];
  readonly scaleUp: ScalingRules | undefined;
  readonly scaleDown: ScalingRules | undefined;
}

/** Reads metrics and behavior out of the stored version. Malformed annotations count as none, as in release 1.20. */
export function readExtras({ metadata, spec }: ReceivedAutoscaler, dialect: Dialect): AutoscalerExtras {
  const annotation = (name: string): unknown => {
    if (metadata.annotations === undefined) return undefined;
    const text = metadata.annotations[dialect.spell(`autoscaling.alpha.orch.io/${name}`)];
    return text === undefined ? undefined : parseJson(text);
  };
  const listed = annotation('metrics');
  const metrics = Array.isArray(listed)
    ? listed.filter(isJsonObject).map((item): Partial<MetricSpec> => item)
    : [];
  const cpu = spec.targetCPUUtilizationPercentage;
  if (cpu !== undefined) {
    metrics.push({ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: cpu } });
  }
  const behavior = lowerKeys(annotation('behavior'));
  return {
    metrics: spec.receivedMetrics ?? metrics,
    scaleUp: readRules(behavior.scaleup),
    scaleDown: readRules(behavior.scaledown),
  };
}

/** Without its gate, metrics of single containers are dropped, unless the stored object has such already. */
export function dropContainerMetrics(
  autoscaler: ReceivedAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
  { dialect, gates }: Pick<RuleContext, 'dialect' | 'gates'>,
): void {
  if (gates.has('HPAContainerMetrics')) return;
  const key = dialect.domain('autoscaling.alpha', 'metrics');
  const { metadata, spec } = autoscaler;
  const name = '"containerResource"';
  if (old?.metadata.annotations?.[key]?.includes(name)) return;
  if (spec.receivedMetrics !== undefined) {
    autoscaler.spec = { ...spec, receivedMetrics: spec.receivedMetrics.map(withoutContainer) };
  }
  const text = metadata.annotations?.[key];
  const metrics = text?.includes(name) === true ? parseJson(text) : undefined;
  if (metadata.annotations === undefined || !Array.isArray(metrics)) return;
  metadata.annotations[key] = JSON.stringify(
    metrics.map((metric: unknown) => (isJsonObject(metric) ? withoutContainer(metric) : metric)),
  );
}

function withoutContainer<Metric extends { containerResource?: unknown }>(
  metric: Metric,
): Omit<Metric, 'containerResource'> {
  const { containerResource: _, ...rest } = metric;
  return rest;
}

/** What is measured, as opposed to what is wanted: annotations that belong to the status. */
export const statusExtras = ['current-metrics', 'conditions'] as const;

/** What is wanted: annotations that belong to the spec. */
export const specExtras = ['metrics', 'behavior'] as const;

/** Puts back the annotations of one half as `old` has them; without `old` they go. */
export function restoreExtras(
  { metadata }: HorizontalPodAutoscaler,
  old: HorizontalPodAutoscaler | undefined,
  names: typeof statusExtras | typeof specExtras,
  dialect: Dialect,
): void {
  const annotations = { ...metadata.annotations };
  for (const name of names) {
    const key = dialect.domain('autoscaling.alpha', name);
    const text = old?.metadata.annotations?.[key];
    if (text === undefined) delete annotations[key];
    else annotations[key] = text;
  }
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
  else metadata.annotations = annotations;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The annotation is any text that a client wrote.
    return undefined;
  }
}

/** Field names in this annotation are in the case of release 1.20's own structures. */
const lowerKeys = (value: unknown): Record<string, unknown> =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]))
    : {};

function readRules(value: unknown): ScalingRules | undefined {
  if (!isJsonObject(value)) return undefined;
  const rules = lowerKeys(value);
  const seconds = rules.stabilizationwindowseconds;
  const select = rules.selectpolicy;
  const policies = rules.policies;
  return {
    stabilizationWindowSeconds: typeof seconds === 'number' ? seconds : null,
    selectPolicy: typeof select === 'string' ? select : null,
    policies: Array.isArray(policies) ? policies.map(readPolicy) : null,
  };
}

function readPolicy(value: unknown): ScalingPolicy {
  const policy = lowerKeys(value);
  const { type, value: amount, periodseconds: seconds } = policy;
  return {
    type: typeof type === 'string' ? type : '',
    value: typeof amount === 'number' ? amount : 0,
    periodSeconds: typeof seconds === 'number' ? seconds : 0,
  };
}
