import { asJsonObject } from '../../../base/index.ts';
import type { Dialect } from '../../../machinery/dialect.ts';
import type { HorizontalPodAutoscaler } from '../../types/autoscaling-v1.ts';
import { ageSince } from '../age.ts';
import { orNone } from '../cell-text.ts';
import type { RowPrinter } from '../row-printer.ts';

const maxShown = 2;
const unknown = '<unknown>';

/** Part of a metric: texts and numbers by name. Read from an annotation, so nothing about it is certain. */
type Fields = Readonly<Record<string, unknown>>;

/** What all versions of the kind have, and what only some have. */
interface Scaler {
  readonly metadata: HorizontalPodAutoscaler['metadata'];
  readonly spec: HorizontalPodAutoscaler['spec'] & { readonly metrics?: readonly object[] | undefined };
  readonly status: HorizontalPodAutoscaler['status'] & {
    readonly currentMetrics?: readonly object[] | null | undefined;
  };
}

/**
 * Rows of pod autoscalers of any version. In the first one processor use is a field and all other metrics stand
 * as JSON in annotations; the later ones have lists.
 */
export const horizontalPodAutoscalerPrinter: RowPrinter<Scaler> = {
  cells: (scaler, { nowMs, dialect }) => [
    scaler.metadata.name ?? '',
    `${scaler.spec.scaleTargetRef.kind}/${scaler.spec.scaleTargetRef.name}`,
    formatMetrics(listMetrics(scaler, dialect), listStatuses(scaler, dialect)),
    scaler.spec.minReplicas === undefined ? '<unset>' : String(scaler.spec.minReplicas),
    scaler.spec.maxReplicas,
    scaler.status.currentReplicas,
    ageSince(scaler.metadata.creationTimestamp, nowMs),
  ],
};

function listMetrics({ metadata, spec }: Scaler, dialect: Dialect): Fields[] {
  if (spec.metrics !== undefined) return spec.metrics.map(asJsonObject);
  const metrics = readList(metadata.annotations?.[dialect.spell('autoscaling.alpha.orch.io/metrics')]);
  const percent = spec.targetCPUUtilizationPercentage;
  if (percent !== undefined) {
    metrics.push({ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: percent } });
  }
  return metrics;
}

function listStatuses({ metadata, status }: Scaler, dialect: Dialect): Fields[] {
  if (status.currentMetrics) return status.currentMetrics.map(asJsonObject);
  const text = metadata.annotations?.[dialect.spell('autoscaling.alpha.orch.io/current-metrics')];
  const percent = status.currentCPUUtilizationPercentage;
  if (text !== undefined || percent === undefined) return readList(text);
  return [{ type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: percent } }];
}

function readList(text: string | undefined): Fields[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.map(asJsonObject) : [];
  } catch {
    // Release 1.20 ignores an annotation that it cannot read.
    return [];
  }
}

function formatMetrics(metrics: readonly Fields[], statuses: readonly Fields[]): string {
  if (metrics.length === 0) return orNone('');
  const texts = metrics
    .slice(0, maxShown)
    .map((metric, index) => formatMetric(metric, statuses[index] ?? {}));
  const text = texts.join(', ');
  return metrics.length > maxShown ? `${text} + ${metrics.length - maxShown} more...` : text;
}

function formatMetric(metric: Fields, status: Fields): string {
  switch (metric.type) {
    case 'External':
      return formatAmounts(wantedOf(metric.external), currentOf(status.external), { marksAverage: true });
    case 'Object':
      return formatAmounts(wantedOf(metric.object), currentOf(status.object), { marksAverage: true });
    case 'Pods':
      return formatAmounts(wantedOf(metric.pods), currentOf(status.pods), { marksAverage: false });
    case 'Resource':
      return formatResource(wantedOf(metric.resource), currentOf(status.resource));
    case 'ContainerResource':
      return formatResource(wantedOf(metric.containerResource), currentOf(status.containerResource));
    default:
      return '<unknown type>';
  }
}

/** A target or a current state, the same for all versions. */
interface Amount {
  readonly value: unknown;
  readonly averageValue: unknown;
  readonly averageUtilization: unknown;
}

function wantedOf(source: unknown): Amount {
  const { target, targetValue, targetAverageValue, averageValue, targetAverageUtilization } =
    asJsonObject(source);
  // The oldest shape calls the object that a metric is about its target.
  const later = asJsonObject(target);
  return {
    value: targetValue ?? later.value,
    averageValue: targetAverageValue ?? averageValue ?? later.averageValue,
    averageUtilization: targetAverageUtilization ?? later.averageUtilization,
  };
}

function currentOf(source: unknown): Amount {
  const { current, currentValue, currentAverageValue, averageValue, currentAverageUtilization } =
    asJsonObject(source);
  const later = asJsonObject(current);
  return {
    value: currentValue ?? later.value,
    averageValue: currentAverageValue ?? averageValue ?? later.averageValue,
    averageUtilization: currentAverageUtilization ?? later.averageUtilization,
  };
}

function formatAmounts(
  wanted: Amount,
  current: Amount,
  { marksAverage }: { readonly marksAverage: boolean },
): string {
  if (wanted.averageValue === undefined) return `${textOf(current.value)}/${textOf(wanted.value)}`;
  return `${textOf(current.averageValue)}/${textOf(wanted.averageValue)}${marksAverage ? ' (avg)' : ''}`;
}

function formatResource(wanted: Amount, current: Amount): string {
  if (wanted.averageValue !== undefined)
    return `${textOf(current.averageValue)}/${textOf(wanted.averageValue)}`;
  const used = current.averageUtilization;
  const target = wanted.averageUtilization;
  return `${typeof used === 'number' ? `${used}%` : unknown}/${typeof target === 'number' ? `${target}%` : '<auto>'}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : unknown;
}
