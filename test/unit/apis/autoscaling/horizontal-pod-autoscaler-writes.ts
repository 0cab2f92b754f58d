import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const horizontalPodAutoscalerWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'hpa-1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
        targetCPUUtilizationPercentage: 70,
      },
    },
    status: {
      observedGeneration: 1,
      lastScaleTime: '2020-01-01T00:00:00Z',
      currentReplicas: 2,
      desiredReplicas: 3,
      currentCPUUtilizationPercentage: 50,
    },
    accepted: [
      { '/spec/scaleTargetRef/kind': 'changed' },
      {
        '/spec': {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
          minReplicas: 2,
          maxReplicas: 10,
          targetCPUUtilizationPercentage: 70,
          noSuchField: { a: [1] },
        },
      },
      { '/spec/targetCPUUtilizationPercentage': 2147483647 },
    ],
    refused: [
      [{ '/metadata/name': ' lead' }, [`metadata.name: Invalid value: " lead": ${subdomain1123}`]],
      [
        { '/spec/minReplicas': 2147483647 },
        ['spec.maxReplicas: Invalid value: 10: must be greater than or equal to `minReplicas`'],
      ],
      [
        { '/spec/scaleTargetRef': {} },
        ['spec.scaleTargetRef.kind: Required value', 'spec.scaleTargetRef.name: Required value'],
      ],
      [
        { '/metadata/finalizers': ['sample'] },
        [
          'metadata.finalizers[0]: Invalid value: "sample": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
      [
        { '/spec/maxReplicas': 0 },
        [
          'spec.maxReplicas: Invalid value: 0: must be greater than 0',
          'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
        ],
      ],
    ],
    changed: [
      { '/spec/targetCPUUtilizationPercentage': 70000 },
      { '/spec/scaleTargetRef/apiVersion': 'UpperCase' },
    ],
    statusChanged: [
      { '/status/desiredReplicas': 70000 },
      { '/status/lastScaleTime': '2020-02-03T04:05:06.123456789Z' },
      { '/status/observedGeneration': undefined },
    ],
  },
  {
    body: {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'hpa-21', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } },
          { type: 'Resource', resource: { name: 'memory', targetAverageValue: '100Mi' } },
          {
            type: 'Pods',
            pods: {
              metricName: 'rps',
              targetAverageValue: '10',
              selector: {
                matchLabels: { app: 'web' },
                matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
              },
            },
          },
          {
            type: 'Object',
            object: {
              target: { kind: 'Service', name: 's', apiVersion: 'v1' },
              metricName: 'm',
              targetValue: '5',
              averageValue: '2',
            },
          },
          {
            type: 'External',
            external: {
              metricName: 'q',
              metricSelector: {
                matchLabels: { app: 'web' },
                matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
              },
              targetAverageValue: '3',
            },
          },
        ],
      },
    },
    status: {
      observedGeneration: 1,
      lastScaleTime: '2020-01-01T00:00:00Z',
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', currentAverageUtilization: 55, currentAverageValue: '200m' },
        },
      ],
      conditions: [
        {
          type: 'AbleToScale',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
    },
    accepted: [
      { '/spec/metrics/2/pods/selector/matchExpressions/0/values/0': 'changed' },
      { '/spec/metrics/4/external/metricSelector/matchExpressions/0/values': ['a'.repeat(300)] },
      { '/spec/metrics/0/resource/name': 'ephemeral-storage' },
      { '/spec/metrics/3/object/target/kind': '-abc' },
      { '/spec/metrics/4/external/metricSelector/matchExpressions/0/values/0': 'naïve' },
      { '/spec/scaleTargetRef/apiVersion': undefined },
    ],
    refused: [
      [
        { '/spec/metrics/4/external/metricName': 'a/b' },
        ['spec.metrics[4].external.metric.name: Invalid value: "a/b": may not contain \'/\''],
      ],
    ],
    // What is stored shows the CPU target as the last one.
    changed: [{ '/spec/metrics/3/external/metricName': 'UpperCase' }],
    statusChanged: [
      {
        '/status/currentMetrics/0/containerResource': {
          name: 'cpu',
          currentAverageValue: '1500m',
          container: 'sample',
        },
      },
      { '/status/currentMetrics/0/resource': {} },
      {
        '/status/currentMetrics': [
          {
            type: 'Resource',
            resource: { name: 'cpu', currentAverageUtilization: 55, currentAverageValue: '200m' },
          },
          {},
        ],
      },
      { '/spec/metrics/4/type': 'Object' },
    ],
    statusKept: [
      [
        { '/status/currentReplicas': -1 },
        ['status.currentReplicas: Invalid value: -1: must be greater than or equal to 0'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'hpa-22', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
          {
            type: 'Pods',
            pods: {
              metric: {
                name: 'rps',
                selector: {
                  matchLabels: { app: 'web' },
                  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
                },
              },
              target: { type: 'AverageValue', averageValue: '10' },
            },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
              metric: { name: 'm' },
              target: { type: 'Value', value: '5' },
            },
          },
          {
            type: 'External',
            external: {
              metric: {
                name: 'q',
                selector: {
                  matchLabels: { app: 'web' },
                  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
                },
              },
              target: { type: 'AverageValue', averageValue: '3' },
            },
          },
        ],
        behavior: {
          scaleUp: {
            stabilizationWindowSeconds: 10,
            selectPolicy: 'Max',
            policies: [
              { type: 'Pods', value: 4, periodSeconds: 60 },
              { type: 'Percent', value: 50, periodSeconds: 30 },
            ],
          },
          scaleDown: {
            stabilizationWindowSeconds: 100,
            selectPolicy: 'Disabled',
            policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }],
          },
        },
      },
    },
    status: {
      observedGeneration: 1,
      lastScaleTime: '2020-01-01T00:00:00Z',
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', current: { averageUtilization: 55, averageValue: '200m' } },
        },
        { type: 'Pods', pods: { metric: { name: 'rps' }, current: { averageValue: '7' } } },
      ],
      conditions: [
        {
          type: 'AbleToScale',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
        {
          type: 'ScalingActive',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
    },
    accepted: [
      { '/spec/metrics/2/object/describedObject/name': 'a'.repeat(254) },
      { '/spec/metrics/3/external/metric/selector': undefined },
      { '/spec/metrics/3/external/metric/selector/matchExpressions/0/key': 'a/b' },
      { '/spec/behavior/scaleDown': {} },
      { '/spec/maxReplicas': 2147483647 },
      {
        '/spec/metrics/0/resource': {
          name: 'cpu',
          target: { type: 'Utilization', averageUtilization: 60 },
          noSuchField: { a: [1] },
        },
      },
      { '/spec/metrics/2/object/metric/name': 'UpperCase' },
      { '/spec/metrics/1/pods/metric/selector/matchExpressions/0/values/0': '-abc' },
      { '/spec/metrics/1/pods/metric/selector': undefined },
      {
        '/spec/behavior/scaleDown/policies': [
          { type: 'Percent', value: 10, periodSeconds: 60 },
          { type: 'Percent', value: 10, periodSeconds: 60 },
        ],
      },
      { '/spec/metrics/0/resource/target/value': '1m' },
      { '/spec/metrics/3/external/target/averageUtilization': 7 },
    ],
    refused: [
      [
        { '/spec/behavior/scaleUp/policies/0/periodSeconds': 2147483647 },
        [
          'spec.behavior.scaleUp.policies[0].periodSeconds: Invalid value: 2147483647: must be less than or equal to 1800',
        ],
      ],
      [
        { '/spec/behavior/scaleUp/selectPolicy': 'Not_Valid!' },
        [
          'spec.behavior.scaleUp.selectPolicy: Unsupported value: "Not_Valid!": supported values: "Disabled", "Max", "Min"',
        ],
      ],
      [
        { '/spec': undefined },
        [
          'spec.maxReplicas: Invalid value: 0: must be greater than 0',
          'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
          'spec.scaleTargetRef.kind: Required value',
          'spec.scaleTargetRef.name: Required value',
        ],
      ],
      [
        { '/spec/behavior/scaleUp/policies/1/value': undefined },
        ['spec.behavior.scaleUp.policies[1].value: Invalid value: 0: must be greater than zero'],
      ],
      [
        { '/spec/behavior/scaleUp/policies/1/periodSeconds': -1 },
        ['spec.behavior.scaleUp.policies[1].periodSeconds: Invalid value: -1: must be greater than zero'],
      ],
      [
        {
          '/spec/scaleTargetRef': {},
          '/spec/minReplicas': -1,
          '/spec/metrics/2/type': 'UpperCase',
          '/spec/metrics/0/resource/name': 'a'.repeat(253),
        },
        [
          'spec.minReplicas: Invalid value: -1: must be greater than or equal to 1',
          'spec.scaleTargetRef.kind: Required value',
          'spec.scaleTargetRef.name: Required value',
          'spec.metrics[2].type: Unsupported value: "UpperCase": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
          'spec.metrics[2].type: Unsupported value: "UpperCase": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        ],
      ],
    ],
    changed: [{ '/spec/behavior/scaleUp/selectPolicy': undefined }],
    kept: [
      [
        { '/spec/metrics/3/type': 'a/b' },
        [
          'spec.metrics[3].type: Unsupported value: "a/b": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
          'spec.metrics[3].type: Unsupported value: "a/b": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
        ],
      ],
      [
        { '/spec/behavior/scaleDown/stabilizationWindowSeconds': -1 },
        [
          'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero',
        ],
      ],
    ],
    statusChanged: [
      { '/status/conditions/1/message': '-abc' },
      { '/status/currentMetrics/1/pods/current': undefined },
    ],
  },
];
