import { asList, isJsonObject } from '../../base/index.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import { ExtraAnnotations, type ReceivedAutoscaler } from '../conversions/index.ts';
import type { RuleContext } from '../kind-rules.ts';
import type { HorizontalPodAutoscaler } from '../types/autoscaling-v1.ts';
import type { MetricSpec } from '../types/autoscaling-v2beta2.ts';

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
  /** All metrics as they were received. */
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
  const behavior = lowerKeys(annotation('behavior'));
  return {
    // Conversions always say it.
    metrics: spec.receivedMetrics ?? [],
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
  if (metadata.annotations?.[key]?.includes(name) !== true) return;
  const extras = new ExtraAnnotations(dialect);
  const metrics = asList(extras.read(metadata, 'metrics'));
  extras.write(
    metadata,
    'metrics',
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

/**
 * What a dry run of an update shows. Release 1.20 reads it over the old object: what is new has no annotation for stays
 * from the old one, and where there is no CPU target the old metrics make room for themselves, though only the first has
 * something in it.
 */
export function showOverOld(
  autoscaler: ReceivedAutoscaler,
  old: HorizontalPodAutoscaler,
  dialect: Dialect,
): void {
  const extras = new ExtraAnnotations(dialect);
  const annotations = { ...autoscaler.metadata.annotations };
  for (const name of ['behavior', 'conditions', 'current-metrics'] as const) {
    const key = dialect.domain('autoscaling.alpha', name);
    const kept = old.metadata.annotations?.[key];
    if (kept !== undefined) annotations[key] ??= kept;
  }
  autoscaler.metadata.annotations = annotations;
  autoscaler.status.currentCPUUtilizationPercentage ??= old.status.currentCPUUtilizationPercentage;
  const { targetCPUUtilizationPercentage: percent } = autoscaler.spec;
  if (percent === undefined) {
    const before = asList(extras.read(old.metadata, 'metrics'));
    const [first, ...others] = before;
    const rest = old.spec.targetCPUUtilizationPercentage === undefined ? others : [...others, undefined];
    const listed = asList(extras.read(autoscaler.metadata, 'metrics'));
    if (first === undefined)
      autoscaler.spec.targetCPUUtilizationPercentage = old.spec.targetCPUUtilizationPercentage;
    else extras.write(autoscaler.metadata, 'metrics', [...listed, first, ...rest.map(() => ({ type: '' }))]);
  }
  if (Object.keys(annotations).length === 0) delete autoscaler.metadata.annotations;
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
