import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const autoscalingRows: readonly RowCase[] = [
  [
    'autoscaling/v1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 10,
        targetCPUUtilizationPercentage: 70,
      },
      status: { currentReplicas: 2, currentCPUUtilizationPercentage: 50 },
    },
    ['a', 'Deployment/web', '50%/70%', '1', 10, 2, '30s'],
  ],
  [
    'autoscaling/v1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 70,
      },
      status: { currentReplicas: 2 },
    },
    ['a', 'Deployment/web', '<unknown>/70%', '2', 3, 2, '30s'],
  ],
  [
    'autoscaling/v1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 4,
        targetCPUUtilizationPercentage: 70,
      },
      status: { currentCPUUtilizationPercentage: 50 },
    },
    ['a', 'Deployment/web', '50%/70%', '1', 4, 0, '30s'],
  ],
  [
    'autoscaling/v1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 4,
        targetCPUUtilizationPercentage: 70,
      },
    },
    ['a', 'Deployment/web', '<unknown>/70%', '2', 4, 0, '30s'],
  ],
  [
    'autoscaling/v2beta1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 3,
        metrics: [{ type: 'Resource', resource: { targetAverageUtilization: 80 } }],
      },
      status: { currentReplicas: 3 },
    },
    ['a', 'Deployment/web', '<unknown>/80%', '2', 3, 3, '30s'],
  ],
  [
    'autoscaling/v2beta1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 3,
        metrics: [{ type: 'Resource', resource: { targetAverageUtilization: 80 } }],
      },
      status: { currentReplicas: 2, currentMetrics: [{ resource: { currentAverageUtilization: 55 } }] },
    },
    ['a', 'Deployment/web', '55%/80%', '2', 3, 2, '30s'],
  ],
  [
    'autoscaling/v2beta1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [
          { type: 'Resource', resource: { targetAverageValue: '100Mi' } },
          { type: 'Pods', pods: { targetAverageValue: '10' } },
          {},
        ],
      },
    },
    ['a', 'Deployment/web', '<unknown>/100Mi, <unknown>/10 + 1 more...', '2', 10, 0, '30s'],
  ],
  [
    'autoscaling/v2beta1.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 1,
        metrics: [{ type: 'Resource', resource: { targetAverageUtilization: 80 } }],
      },
    },
    ['a', 'Deployment/web', '<unknown>/80%', '1', 1, 0, '30s'],
  ],
  [
    'autoscaling/v2beta2.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 3,
        metrics: [{ type: 'Resource', resource: { target: { averageUtilization: 80 } } }],
      },
    },
    ['a', 'Deployment/web', '<unknown>/80%', '2', 3, 0, '30s'],
  ],
  [
    'autoscaling/v2beta2.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 2,
        metrics: [{ type: 'Resource', resource: { target: { averageUtilization: 80 } } }],
      },
      status: { currentReplicas: 3 },
    },
    ['a', 'Deployment/web', '<unknown>/80%', '1', 2, 3, '30s'],
  ],
  [
    'autoscaling/v2beta2.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 10,
        metrics: [{ type: 'Resource', resource: { target: { averageUtilization: 80 } } }],
      },
      status: { currentReplicas: 2, currentMetrics: [{ resource: { current: { averageUtilization: 55 } } }] },
    },
    ['a', 'Deployment/web', '55%/80%', '2', 10, 2, '30s'],
  ],
  [
    'autoscaling/v2beta2.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 2,
        maxReplicas: 4,
        metrics: [
          { type: 'Pods', pods: { target: { averageValue: '10' } } },
          { type: 'Object', object: { target: { value: '5' } } },
          {},
        ],
      },
      status: { currentReplicas: 2 },
    },
    ['a', 'Deployment/web', '<unknown>/10, <unknown>/5 + 1 more...', '2', 4, 2, '30s'],
  ],
  [
    'autoscaling/v2beta2.HorizontalPodAutoscaler',
    'horizontalpodautoscalers',
    {
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [{ type: 'Resource', resource: { target: { averageUtilization: 80 } } }],
      },
      status: { currentMetrics: [{ resource: { current: { averageUtilization: 55 } } }] },
    },
    ['a', 'Deployment/web', '55%/80%', '1', 10, 0, '30s'],
  ],
];
