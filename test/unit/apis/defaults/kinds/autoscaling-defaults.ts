import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const autoscalingDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 10 },
    },
    { '/spec/minReplicas': 1, '/spec/targetCPUUtilizationPercentage': 80 },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 10 },
    },
    {
      '/spec/minReplicas': 1,
      '/spec/metrics': [{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 80 } }],
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 10 },
    },
    {
      '/spec/minReplicas': 1,
      '/spec/metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 10, noSuchField: {} },
    },
    { '/spec/noSuchField': undefined, '/spec/minReplicas': 1, '/spec/targetCPUUtilizationPercentage': 80 },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 10, behavior: {} },
    },
    {
      '/spec/behavior/scaleUp': {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      '/spec/behavior/scaleDown': {
        selectPolicy: 'Max',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      },
      '/spec/minReplicas': 1,
      '/spec/metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        behavior: { scaleUp: {} },
      },
    },
    {
      '/spec/behavior/scaleUp/stabilizationWindowSeconds': 0,
      '/spec/behavior/scaleUp/selectPolicy': 'Max',
      '/spec/behavior/scaleUp/policies': [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 15 },
      ],
      '/spec/behavior/scaleDown': {
        selectPolicy: 'Max',
        policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      },
      '/spec/minReplicas': 1,
      '/spec/metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        behavior: { scaleDown: {} },
      },
    },
    {
      '/spec/behavior/scaleDown/selectPolicy': 'Max',
      '/spec/behavior/scaleDown/policies': [{ type: 'Percent', value: 100, periodSeconds: 15 }],
      '/spec/behavior/scaleUp': {
        stabilizationWindowSeconds: 0,
        selectPolicy: 'Max',
        policies: [
          { type: 'Pods', value: 4, periodSeconds: 15 },
          { type: 'Percent', value: 100, periodSeconds: 15 },
        ],
      },
      '/spec/minReplicas': 1,
      '/spec/metrics': [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
        },
      ],
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
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
    {
      '/spec/metrics/0/resource/name': 'memory',
      '/spec/metrics/0/resource/targetAverageUtilization': undefined,
      '/spec/metrics/0/resource/targetAverageValue': '100Mi',
      '/spec/metrics/1/type': 'Pods',
      '/spec/metrics/1/resource': undefined,
      '/spec/metrics/1/pods': {
        metricName: 'rps',
        targetAverageValue: '10',
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
      },
      '/spec/metrics/2/type': 'Object',
      '/spec/metrics/2/pods': undefined,
      '/spec/metrics/2/object': {
        target: { kind: 'Service', name: 's', apiVersion: 'v1' },
        metricName: 'm',
        targetValue: '5',
        averageValue: '2',
      },
      '/spec/metrics/3/type': 'External',
      '/spec/metrics/3/object': undefined,
      '/spec/metrics/3/external': {
        metricName: 'q',
        metricSelector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        targetAverageValue: '3',
      },
      '/spec/metrics/4/type': 'Resource',
      '/spec/metrics/4/external': undefined,
      '/spec/metrics/4/resource': { name: 'cpu', targetAverageUtilization: 60 },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } },
          {
            type: 'Object',
            object: {
              target: { kind: '-abc', name: 's', apiVersion: 'v1' },
              metricName: 'm',
              targetValue: '5',
              averageValue: '2',
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'Object',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/object': {
        target: { kind: '-abc', name: 's', apiVersion: 'v1' },
        metricName: 'm',
        targetValue: '5',
        averageValue: '2',
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/object': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', targetAverageUtilization: 60 },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } },
          {
            type: 'External',
            external: {
              metricName: 'q',
              metricSelector: {
                matchLabels: { app: 'web' },
                matchExpressions: [{ key: 'tier', operator: 'In', values: ['naïve', 'back'] }],
              },
              targetAverageValue: '3',
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'External',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/external': {
        metricName: 'q',
        metricSelector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['naïve', 'back'] }],
        },
        targetAverageValue: '3',
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/external': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', targetAverageUtilization: 60 },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta1',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } },
          {
            type: 'Pods',
            pods: {
              metricName: 'rps',
              targetAverageValue: '10',
              selector: {
                matchLabels: { app: 'web' },
                matchExpressions: [{ key: 'tier', operator: 'In', values: ['changed', 'back'] }],
              },
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'Pods',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/pods': {
        metricName: 'rps',
        targetAverageValue: '10',
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['changed', 'back'] }],
        },
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/pods': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', targetAverageUtilization: 60 },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
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
                  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
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
                  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
                },
              },
              target: { type: 'AverageValue', averageValue: '3' },
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'Pods',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/pods': {
        metric: {
          name: 'rps',
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
          },
        },
        target: { type: 'AverageValue', averageValue: '10' },
      },
      '/spec/metrics/1/type': 'Object',
      '/spec/metrics/1/pods': undefined,
      '/spec/metrics/1/object': {
        describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
        target: { type: 'Value', value: '5' },
        metric: { name: 'm' },
      },
      '/spec/metrics/2/type': 'External',
      '/spec/metrics/2/object': undefined,
      '/spec/metrics/2/external': {
        metric: {
          name: 'q',
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['front'] }],
          },
        },
        target: { type: 'AverageValue', averageValue: '3' },
      },
      '/spec/metrics/3/type': 'Resource',
      '/spec/metrics/3/external': undefined,
      '/spec/metrics/3/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
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
      },
    },
    {
      '/spec/metrics/0/type': 'Pods',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/pods': {
        metric: {
          name: 'rps',
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
          },
        },
        target: { type: 'AverageValue', averageValue: '10' },
      },
      '/spec/metrics/1/type': 'External',
      '/spec/metrics/1/pods': undefined,
      '/spec/metrics/1/external': {
        metric: {
          name: 'q',
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
          },
        },
        target: { type: 'AverageValue', averageValue: '3' },
      },
      '/spec/metrics/2/type': 'Resource',
      '/spec/metrics/2/external': undefined,
      '/spec/metrics/2/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
          {
            type: 'External',
            external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '3' } },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'External',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/external': {
        metric: { name: 'q' },
        target: { type: 'AverageValue', averageValue: '3' },
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/external': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
          {
            type: 'Pods',
            pods: { metric: { name: 'rps' }, target: { type: 'AverageValue', averageValue: '10' } },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'Pods',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/pods': {
        metric: { name: 'rps' },
        target: { type: 'AverageValue', averageValue: '10' },
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/pods': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
          {
            type: 'External',
            external: {
              metric: {
                name: 'q',
                selector: {
                  matchLabels: { app: 'web' },
                  matchExpressions: [{ key: 'a/b', operator: 'In', values: ['front', 'back'] }],
                },
              },
              target: { type: 'AverageValue', averageValue: '3' },
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'External',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/external': {
        metric: {
          name: 'q',
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'a/b', operator: 'In', values: ['front', 'back'] }],
          },
        },
        target: { type: 'AverageValue', averageValue: '3' },
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/external': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
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
                  matchExpressions: [{ key: 'tier', operator: 'In', values: ['-abc', 'back'] }],
                },
              },
              target: { type: 'AverageValue', averageValue: '10' },
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'Pods',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/pods': {
        metric: {
          name: 'rps',
          selector: {
            matchLabels: { app: 'web' },
            matchExpressions: [{ key: 'tier', operator: 'In', values: ['-abc', 'back'] }],
          },
        },
        target: { type: 'AverageValue', averageValue: '10' },
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/pods': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
  [
    {
      apiVersion: 'autoscaling/v2beta2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'a' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        maxReplicas: 10,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
              metric: { name: 'UpperCase' },
              target: { type: 'Value', value: '5' },
            },
          },
        ],
      },
    },
    {
      '/spec/metrics/0/type': 'Object',
      '/spec/metrics/0/resource': undefined,
      '/spec/metrics/0/object': {
        describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
        target: { type: 'Value', value: '5' },
        metric: { name: 'UpperCase' },
      },
      '/spec/metrics/1/type': 'Resource',
      '/spec/metrics/1/object': undefined,
      '/spec/metrics/1/resource': { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
      '/spec/minReplicas': 1,
    },
  ],
];
