import { expect } from 'chai';
import { validateMetric } from '../../../../src/apis/autoscaling/metric-validation.ts';
import type { MetricSpec } from '../../../../src/apis/types/autoscaling-v2beta2.ts';
import { type FieldError, fieldPath } from '../../../../src/machinery/errors/index.ts';
import { defaultGates } from '../../../support/default-gates.ts';
import { label1123 } from '../core-pod/wording.ts';
import { makeContext } from '../rule-fixture.ts';

const metric = { name: 'm' };
const about = { kind: 'Service', name: 's' };
const value = { type: 'Value', value: '1' };
const average = { type: 'AverageValue', averageValue: '1' };
const share = { type: 'Utilization', averageUtilization: 1 };
const object = { describedObject: about, metric, target: value };
const onlyOne = 'Forbidden: must populate the given metric source only';
const positive = 'must be positive';

/** What is wrong with a metric: the paths without their beginning, and the texts, values left out. */
function errorsOf(spec: Partial<MetricSpec>, gates = defaultGates({ HPAContainerMetrics: true })): string[] {
  const errors: FieldError[] = [];
  validateMetric(errors, spec, fieldPath('m'), makeContext({ gates }));
  return errors.map((error) =>
    String(error)
      .replace(/^m\./, '')
      .replace(/resource\.Quantity\{.*\}:/, '<any>:'),
  );
}

const cases: readonly (readonly [what: string, spec: Partial<MetricSpec>, errors: readonly string[]])[] = [
  [
    'looks into the first of several sources only',
    {
      type: 'External',
      external: { metric, target: average },
      pods: { metric: { name: '' }, target: value },
    },
    [`pods: ${onlyOne}`],
  ],
  [
    'looks at pods before resources',
    { type: 'Resource', resource: { name: '', target: value }, pods: { metric, target: value } },
    [
      'pods.target.averageValue: Required value: must specify a positive target averageValue',
      `pods: ${onlyOne}`,
    ],
  ],
  [
    'tells no single source of another type',
    { type: 'Pods', object },
    ['pods: Required value: must populate information for the given metric source'],
  ],
  [
    'tells all sources of no known type',
    { type: 'Nope', object, pods: { metric, target: average } },
    [
      'type: Unsupported value: "Nope": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      'type: Unsupported value: "Nope": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      `object: ${onlyOne}`,
      `pods: ${onlyOne}`,
    ],
  ],
  [
    'wants a target to have a known type',
    { type: 'Object', object: { ...object, target: { type: '', value: '1' } } },
    [
      'object.target.type: Required value: must specify a metric target type',
      'object.target.type: Invalid value: "": must be either Utilization, Value, or AverageValue',
    ],
  ],
  [
    'looks at all amounts of a target, whatever its type',
    {
      type: 'Pods',
      pods: {
        metric,
        target: { type: 'AverageValue', value: '-1', averageValue: '0', averageUtilization: 0 },
      },
    },
    [
      `pods.target.value: Invalid value: <any>: ${positive}`,
      `pods.target.averageValue: Invalid value: <any>: ${positive}`,
      'pods.target.averageUtilization: Invalid value: 0: must be greater than 0',
    ],
  ],
  [
    'takes an amount of zero for given',
    { type: 'Object', object: { ...object, target: { type: 'Value', value: '0' } } },
    [`object.target.value: Invalid value: <any>: ${positive}`],
  ],
  [
    'wants an external metric to have one amount',
    { type: 'External', external: { metric, target: { ...value, averageValue: '1' } } },
    ['external.target.value: Forbidden: may not set both a target value for metric and a per-pod target'],
  ],
  [
    'takes any selector',
    {
      type: 'External',
      external: {
        metric: { name: 'm', selector: { matchExpressions: [{ key: '', operator: 'no' }] } },
        target: average,
      },
    },
    [],
  ],
  [
    'wants the container of a resource',
    {
      type: 'ContainerResource',
      containerResource: { name: '', container: '', target: share },
    },
    [
      'containerResource.name: Required value: must specify a resource name',
      'containerResource.container: Required value: must specify a container',
    ],
  ],
  [
    'wants resources that containers have, and containers as they are called',
    {
      type: 'ContainerResource',
      containerResource: { name: 'pods', container: 'A', target: share },
    },
    [
      'containerResource.name: Invalid value: "pods": must be a standard resource for containers',
      `containerResource.container: Invalid value: "A": ${label1123}`,
    ],
  ],
  [
    'wants extended resources of containers to be so called',
    {
      type: 'ContainerResource',
      containerResource: { name: 'requests.example.com/a', container: 'a', target: share },
    },
    [
      'containerResource.name: Invalid value: "requests.example.com/a": doesn\'t follow extended resource name standard',
    ],
  ],
  [
    'takes devices of containers',
    {
      type: 'ContainerResource',
      containerResource: { name: 'example.com/gpu', container: 'a', target: share },
    },
    [],
  ],
  [
    'wants the source of a container',
    { type: 'ContainerResource' },
    ['containerResource: Required value: must populate information for the given metric source'],
  ],
];

describe('validateMetric', () => {
  for (const [what, spec, errors] of cases) it(what, () => expect(errorsOf(spec)).to.deep.equal(errors));

  it('tells what containers need when their metrics are switched off', () => {
    expect(errorsOf({ type: 'ContainerResource' }, defaultGates())).to.deep.equal([
      'containerResource: Required value: must populate information for the given metric source (only allowed when HPAContainerMetrics feature is enabled)',
    ]);
  });
});
