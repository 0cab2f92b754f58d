import type { MetricSpec as OlderMetric } from '../../types/autoscaling-v1.ts';
import type { MetricSpec, MetricTarget } from '../../types/autoscaling-v2beta2.ts';

/** A metric of the newest version in the shape that `v1`'s annotation and `v2beta1` have. */
export function toOlderMetric({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: MetricSpec): OlderMetric {
  return {
    type,
    ...(object && {
      object: {
        target: object.describedObject,
        metricName: object.metric.name,
        targetValue: object.target.value ?? '0',
        selector: object.metric.selector,
        averageValue: object.target.averageValue,
      },
    }),
    ...(pods && {
      pods: {
        metricName: pods.metric.name,
        targetAverageValue: pods.target.averageValue ?? '0',
        selector: pods.metric.selector,
      },
    }),
    ...(resource && { resource: { name: resource.name, ...toOlderTarget(resource.target) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        ...toOlderTarget(containerResource.target),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metricName: external.metric.name,
        metricSelector: external.metric.selector,
        targetValue: external.target.value,
        targetAverageValue: external.target.averageValue,
      },
    }),
  };
}

/** The inverse of `toOlderMetric`; a target's type, which older versions lack, follows from what is set. */
export function toNewerMetric({
  type,
  object,
  pods,
  resource,
  containerResource,
  external,
}: OlderMetric): MetricSpec {
  return {
    type,
    ...(object && {
      object: {
        describedObject: object.target,
        target: {
          type: object.averageValue === undefined ? 'Value' : 'AverageValue',
          value: object.targetValue,
          averageValue: object.averageValue,
        },
        metric: { name: object.metricName, selector: object.selector },
      },
    }),
    ...(pods && {
      pods: {
        metric: { name: pods.metricName, selector: pods.selector },
        target: { type: 'AverageValue', averageValue: pods.targetAverageValue },
      },
    }),
    ...(resource && { resource: { name: resource.name, target: toNewerTarget(resource) } }),
    ...(containerResource && {
      containerResource: {
        name: containerResource.name,
        target: toNewerTarget(containerResource),
        container: containerResource.container,
      },
    }),
    ...(external && {
      external: {
        metric: { name: external.metricName, selector: external.metricSelector },
        target: {
          type: external.targetValue === undefined ? 'AverageValue' : 'Value',
          value: external.targetValue,
          averageValue: external.targetAverageValue,
        },
      },
    }),
  };
}

interface OlderTarget {
  targetAverageUtilization?: number | undefined;
  targetAverageValue?: string | undefined;
}

function toOlderTarget({ averageUtilization, averageValue }: MetricTarget): OlderTarget {
  return { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue };
}

function toNewerTarget({ targetAverageUtilization, targetAverageValue }: OlderTarget): MetricTarget {
  return {
    type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
    averageUtilization: targetAverageUtilization,
    averageValue: targetAverageValue,
  };
}
