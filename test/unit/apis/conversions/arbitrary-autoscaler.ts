import fc from 'fast-check';

const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
const text = fc.string({ maxLength: 12, unit: 'grapheme' });
const quantity = fc.oneof(
  fc.integer({ min: 1, max: 999 }).map(String),
  fc.integer({ min: 1, max: 999 }).map((value) => `${value}m`),
  fc.constantFrom('1k', '2Gi', '3M'),
);
const percent = fc.integer({ min: 1, max: 500 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const selector = fc.record(
  { matchLabels: fc.dictionary(name, text, { minKeys: 1, maxKeys: 3 }) },
  { requiredKeys: [] },
);
const metric = fc.record({ name, selector: optional(selector) });
const describedObject = fc.record({ kind: name, name, apiVersion: optional(fc.constant('apps/v1')) });

const utilization = percent.map((averageUtilization) => ({ type: 'Utilization', averageUtilization }));
const average = quantity.map((averageValue) => ({ type: 'AverageValue', averageValue }));
const value = quantity.map((amount) => ({ type: 'Value', value: amount }));
// Older versions always write the value of an object's target, so an average comes with one.
const averageOfObject = average.map((target) => ({ ...target, value: '0' }));

/** Metrics that the stored version keeps in its annotation. CPU use in percent is apart: it moves to the end. */
const otherMetric = fc.oneof(
  fc
    .record({ name: fc.constantFrom('memory', 'storage'), target: fc.oneof(utilization, average) })
    .map((resource) => ({ type: 'Resource', resource })),
  fc
    .record({ name: fc.constant('cpu'), target: fc.oneof(utilization, average), container: name })
    .map((containerResource) => ({ type: 'ContainerResource', containerResource })),
  fc.record({ metric, target: average }).map((pods) => ({ type: 'Pods', pods })),
  fc
    .record({ describedObject, target: fc.oneof(value, averageOfObject), metric })
    .map((object) => ({ type: 'Object', object })),
  fc.record({ metric, target: fc.oneof(value, average) }).map((external) => ({ type: 'External', external })),
);
const cpu = utilization.map((target) => ({ type: 'Resource', resource: { name: 'cpu', target } }));

const measured = fc.record({ averageValue: quantity, averageUtilization: optional(percent) });
const status = fc.oneof(
  fc
    .record({ name: fc.constantFrom('cpu', 'memory'), current: measured })
    .map((resource) => ({ type: 'Resource', resource })),
  fc
    .record({ name: fc.constant('cpu'), current: measured, container: name })
    .map((containerResource) => ({ type: 'ContainerResource', containerResource })),
  fc
    .record({ metric, current: fc.record({ averageValue: quantity }) })
    .map((pods) => ({ type: 'Pods', pods })),
  fc
    .record({
      metric,
      current: fc.record({ value: quantity, averageValue: optional(quantity) }),
      describedObject,
    })
    .map((object) => ({ type: 'Object', object })),
  fc
    .record({ metric, current: fc.record({ value: quantity, averageValue: optional(quantity) }) })
    .map((external) => ({ type: 'External', external })),
);
const condition = fc.record({
  type: fc.constantFrom('AbleToScale', 'ScalingActive', 'ScalingLimited'),
  status: fc.constantFrom('True', 'False', 'Unknown'),
  lastTransitionTime: fc.constant('2021-02-03T04:05:06Z'),
  reason: optional(name),
  message: optional(text),
});
const rules = fc.record({
  stabilizationWindowSeconds: optional(fc.integer({ min: 0, max: 3600 })),
  selectPolicy: optional(fc.constantFrom('Max', 'Min', 'Disabled')),
  policies: fc.array(
    fc.record({
      type: fc.constantFrom('Pods', 'Percent'),
      value: fc.integer({ min: 1, max: 100 }),
      periodSeconds: fc.integer({ min: 1, max: 1800 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

/** Valid autoscalers of the newest version, without metrics that older ones hold otherwise. */
export const autoscaler = fc.record({
  metadata: fc.record({
    name,
    labels: fc.dictionary(name, name, { maxKeys: 2 }),
    annotations: fc.dictionary(name, text, { maxKeys: 2 }),
  }),
  spec: fc
    .record({
      scaleTargetRef: describedObject,
      minReplicas: optional(fc.integer({ min: 1, max: 9 })),
      maxReplicas: fc.integer({ min: 1, max: 99 }),
      others: fc.array(otherMetric, { maxLength: 4 }),
      cpu: optional(cpu),
      // One without rules is kept as none.
      behavior: optional(
        fc
          .record({ scaleUp: optional(rules), scaleDown: optional(rules) })
          .filter(({ scaleUp, scaleDown }) => scaleUp !== undefined || scaleDown !== undefined),
      ),
    })
    .filter((spec) => spec.cpu !== undefined || spec.others.length > 0)
    .map(({ others, cpu: last, ...spec }) => ({
      ...spec,
      metrics: last === undefined ? others : [...others, last],
    })),
  status: fc.record({
    observedGeneration: optional(fc.integer({ min: 1, max: 9 })),
    currentReplicas: fc.nat(9),
    desiredReplicas: fc.nat(9),
    currentMetrics: fc.array(status, { maxLength: 3 }),
    conditions: fc.array(condition, { maxLength: 3 }),
  }),
});
