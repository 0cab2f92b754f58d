/**
 * Autoscalers between `autoscaling/v1`, which is stored, and the beta versions. The newest, `v2beta2`, has a field
 * for everything; what the others lack travels in four annotations. Source: conversion rules of release 1.20.
 */

import type { Dialect } from '../../../machinery/dialect.ts';
import type { ApiObject } from '../../../machinery/meta/index.ts';
import { DecodeError, type TypeCatalog } from '../../../machinery/schema/index.ts';
import type {
  HorizontalPodAutoscalerCondition,
  MetricSpec as OlderMetric,
  MetricStatus as OlderStatus,
  HorizontalPodAutoscaler as Stored,
} from '../../types/autoscaling-v1.ts';
import type { HorizontalPodAutoscaler as Middle } from '../../types/autoscaling-v2beta1.ts';
import type {
  HorizontalPodAutoscaler as Newest,
  HorizontalPodAutoscalerSpec as NewestSpec,
  HorizontalPodAutoscalerStatus as NewestStatus,
} from '../../types/autoscaling-v2beta2.ts';
import { convertKind, convertObject, type VersionConversion } from '../version-conversion.ts';
import { ExtraAnnotations } from './annotations.ts';
import { fromAnnotatedBehavior, toAnnotatedBehavior } from './behavior.ts';
import { toNewerMetric, toOlderMetric } from './metric-specs.ts';
import { toNewerStatus, toOlderStatus } from './metric-statuses.ts';

/** CPU use, in percent, that is aimed at when nothing else is said. */
const defaultCpuPercent = 80;

/**
 * An autoscaler on its way to validation, which names metrics by their places in the request. What is stored has the CPU
 * target apart from the others.
 */
export type ReceivedAutoscaler = Stored & {
  readonly spec: { readonly receivedMetrics?: readonly Metric[] | undefined };
};

/** The conversions of autoscalers, by served kind. */
export function autoscalerConversions(
  dialect: Dialect,
  catalog: TypeCatalog,
): readonly (readonly [kind: string, VersionConversion])[] {
  const through = new NewestVersion(dialect, catalog);
  const v1 = convertKind<Stored, Stored>({
    // What comes in is rewritten as every version reads it: defaults, and annotations that make sense.
    toStorage: (object) => through.toStored(through.fromStored(object)),
    fromStorage: (object) => object,
  });
  const v2beta1 = convertKind<Middle, Stored>({
    toStorage: (object) => through.toStored(through.fromMiddle(object)),
    fromStorage: (object) => through.toMiddle(through.fromStored(object)),
  });
  const v2beta2 = convertKind<Newest, Stored>({
    toStorage: (object) => through.toStored(object),
    fromStorage: (object) => through.fromStored(object),
  });
  return [
    ['autoscaling/v1.HorizontalPodAutoscaler', v1],
    ['autoscaling/v2beta1.HorizontalPodAutoscaler', v2beta1],
    ['autoscaling/v2beta2.HorizontalPodAutoscaler', v2beta2],
  ];
}

/**
 * The ways between the versions that are not stored, which lose nothing on a detour: the order of metrics, and CPU
 * targets beyond the first. By `from to` of `group/version`.
 */
export function directAutoscalerConversions(
  dialect: Dialect,
  catalog: TypeCatalog,
): ReadonlyMap<string, (object: ApiObject) => ApiObject> {
  const through = new NewestVersion(dialect, catalog);
  return new Map([
    [
      'autoscaling/v2beta1 autoscaling/v2beta2',
      convertObject((object: Middle) => through.fromMiddle(object)),
    ],
    ['autoscaling/v2beta2 autoscaling/v2beta1', convertObject((object: Newest) => through.toMiddle(object))],
  ]);
}

/** How an autoscaler of each version comes back from the newest one, by served kind. */
export function settledAutoscalers(
  dialect: Dialect,
  catalog: TypeCatalog,
): readonly (readonly [kind: string, (object: ApiObject) => ApiObject])[] {
  const through = new NewestVersion(dialect, catalog);
  return [
    [
      'autoscaling/v1.HorizontalPodAutoscaler',
      convertObject((object: Stored) => through.toStored(through.fromStored(object))),
    ],
    [
      'autoscaling/v2beta1.HorizontalPodAutoscaler',
      convertObject((object: Middle) => through.toMiddle(through.fromMiddle(object))),
    ],
    [
      'autoscaling/v2beta2.HorizontalPodAutoscaler',
      convertObject((object: Newest) => through.withoutAnnotations(object)),
    ],
  ];
}

/** Autoscalers of the other versions as the newest one has them, and back. */
class NewestVersion {
  readonly #extras: ExtraAnnotations;
  readonly #catalog: TypeCatalog;

  constructor(dialect: Dialect, catalog: TypeCatalog) {
    this.#extras = new ExtraAnnotations(dialect);
    this.#catalog = catalog;
  }

  fromStored({ metadata, spec, status, ...rest }: Stored): Newest {
    const { targetCPUUtilizationPercentage: cpu, ...otherSpec } = spec;
    const { currentCPUUtilizationPercentage: usedCpu, ...otherStatus } = status;
    const metrics = this.#readList<OlderMetric>(metadata, 'metrics', 'MetricSpec')?.map(toNewerMetric) ?? [];
    if (cpu !== undefined) metrics.push(cpuTarget(cpu));
    if (metrics.length === 0) metrics.push(cpuTarget(defaultCpuPercent));
    const statuses = this.#readList<OlderStatus>(metadata, 'current-metrics', 'MetricStatus');
    const conditions = this.#readList<HorizontalPodAutoscalerCondition>(
      metadata,
      'conditions',
      'HorizontalPodAutoscalerCondition',
    );
    const fromField = usedCpu === undefined ? null : [cpuStatus(usedCpu)];
    return {
      ...rest,
      metadata: this.#extras.replace(metadata, {}),
      spec: { ...otherSpec, metrics, behavior: this.#readBehavior(metadata) },
      status: {
        ...otherStatus,
        currentMetrics: statuses === undefined ? fromField : statuses.map(toNewerStatus),
        conditions: conditions ?? null,
      },
    };
  }

  toStored({ metadata, spec, status, ...rest }: Newest): ReceivedAutoscaler {
    const { metrics = [], behavior, ...otherSpec } = spec;
    const { currentMetrics, conditions, ...otherStatus } = status;
    const others = metrics.filter((metric) => !isCpuTarget(metric));
    return {
      ...rest,
      metadata: this.#extras.replace(metadata, {
        metrics: this.#writeList(others.map(toOlderMetric), 'MetricSpec'),
        'current-metrics': this.#writeList((currentMetrics ?? []).map(toOlderStatus), 'MetricStatus'),
        conditions: this.#writeList(conditions ?? [], 'HorizontalPodAutoscalerCondition'),
        behavior: behavior && toAnnotatedBehavior(behavior),
      }),
      spec: {
        ...otherSpec,
        targetCPUUtilizationPercentage: cpuPercentOf(metrics),
        receivedMetrics: metrics,
      },
      status: { ...otherStatus, currentCPUUtilizationPercentage: usedCpuOf(currentMetrics ?? []) },
    };
  }

  fromMiddle({ metadata, spec, status, ...rest }: Middle): Newest {
    return {
      ...rest,
      metadata: this.#extras.replace(metadata, {}),
      spec: { ...spec, metrics: spec.metrics?.map(toNewerMetric), behavior: this.#readBehavior(metadata) },
      status: { ...status, currentMetrics: status.currentMetrics?.map(toNewerStatus) ?? null },
    };
  }

  toMiddle({ metadata, spec, status, ...rest }: Newest): Middle {
    const { behavior, metrics, ...otherSpec } = spec;
    return {
      ...rest,
      metadata: this.#extras.replace(metadata, { behavior: behavior && toAnnotatedBehavior(behavior) }),
      spec: { ...otherSpec, metrics: metrics?.map(toOlderMetric) },
      status: { ...status, currentMetrics: status.currentMetrics?.map(toOlderStatus) ?? null },
    };
  }

  /** The newest version reads nothing out of annotations, and drops those that stand for fields of its own. */
  withoutAnnotations(object: Newest): Newest {
    return { ...object, metadata: this.#extras.replace(object.metadata, {}) };
  }

  #readBehavior(metadata: Stored['metadata']): NewestSpec['behavior'] {
    const value = this.#extras.read(metadata, 'behavior');
    return value === undefined ? undefined : fromAnnotatedBehavior(value);
  }

  /** A list out of an annotation; undefined when it is absent or not of the type. */
  #readList<T>(
    metadata: Stored['metadata'],
    name: 'metrics' | 'current-metrics' | 'conditions',
    type: string,
  ): T[] | undefined {
    const value = this.#extras.read(metadata, name);
    if (!Array.isArray(value)) return undefined;
    const { decode } = this.#catalog.type(`autoscaling/v1.${type}`);
    try {
      // The type decodes to itself: callers name the interface of the type that they ask for.
      return value.map((item) => decode(item ?? {}) as unknown as T);
    } catch (error) {
      if (error instanceof DecodeError) return undefined;
      throw error;
    }
  }

  /** What an annotation holds of a list; undefined when it is empty. */
  #writeList(items: readonly object[], type: string): unknown {
    if (items.length === 0) return undefined;
    const { canonicalize } = this.#catalog.type(`autoscaling/v1.${type}`);
    return items.map((item) => canonicalize(item));
  }
}

type Metric = NonNullable<NewestSpec['metrics']>[number];
type MetricStatus = NonNullable<NewestStatus['currentMetrics']>[number];

const cpuTarget = (percent: number): Metric => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});

const cpuStatus = (percent: number): MetricStatus => ({
  type: 'Resource',
  resource: { name: 'cpu', current: { averageUtilization: percent } },
});

const isCpu = ({ type, resource }: Metric): boolean => type === 'Resource' && resource?.name === 'cpu';

/** True for the metrics that the stored version has a field for. */
const isCpuTarget = (metric: Metric): boolean =>
  isCpu(metric) && metric.resource?.target.averageUtilization !== undefined;

/** Only the first CPU metric counts, as in release 1.20. */
const cpuPercentOf = (metrics: readonly Metric[]): number | undefined =>
  metrics.find(isCpu)?.resource?.target.averageUtilization;

function usedCpuOf(statuses: readonly MetricStatus[]): number | undefined {
  const values = statuses
    .filter(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu')
    .map(({ resource }) => resource?.current.averageUtilization);
  return values.findLast((value) => value !== undefined);
}
