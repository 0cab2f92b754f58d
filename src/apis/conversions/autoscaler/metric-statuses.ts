import type { MetricStatus as OlderStatus } from '../../types/autoscaling-v1.ts';
import type { MetricStatus, MetricValueStatus } from '../../types/autoscaling-v2beta2.ts';

/** A measured metric of the newest version in the shape that `v1`'s annotation and `v2beta1` have. */
export function toOlderStatus({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricStatus): OlderStatus {
  return {
    type,
    ...(object && {
      object: {
        target: object.describedObject,
        metricName: object.metric.name,
        currentValue: object.current.value ?? '0',
        selector: object.metric.selector,
        averageValue: object.current.averageValue,
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        currentAverageValue: pods.current.averageValue ?? '0',
        selector: pods.metric.selector,
      },
    }),
    ...(resource && { resource: { name: resource.name, ...toOlderValue(resource.current) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...toOlderValue(containerResource.current),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        currentValue: external.current.value ?? '0',
        currentAverageValue: external.current.averageValue,
      },
    }),
  };
}

/** The inverse of `toOlderStatus`; amounts that older versions cannot leave out come back as zero. */
export function toNewerStatus({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: OlderStatus): MetricStatus {
  return {
    type,
    ...(object && {
      object: {
        metric: { name: object.metricName, selector: object.selector },
        current: { value: object.currentValue, averageValue: object.averageValue },
        describedObject: object.target,
      },
    }),
    ...(pods && {
      pods: {
        metric: { name: pods.metricName, selector: pods.selector },
        current: { averageValue: pods.currentAverageValue },
      },
    }),
    ...(resource && { resource: { name: resource.name, current: toNewerValue(resource) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        current: toNewerValue(containerResource),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metric: { name: external.metricName, selector: external.metricSelector },
        current: { value: external.currentValue, averageValue: external.currentAverageValue },
      },
    }),
  };
}

interface OlderValue {
  currentAverageUtilization?: number | undefined;
  currentAverageValue: string;
}

function toOlderValue({ averageUtilization, averageValue }: MetricValueStatus): OlderValue {
  return { currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? '0' };
}

function toNewerValue({ currentAverageUtilization, currentAverageValue }: OlderValue): MetricValueStatus {
  return { averageValue: currentAverageValue, averageUtilization: currentAverageUtilization };
}
