import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const appsRows: readonly RowCase[] = [
  ['apps/v1.ControllerRevision', 'controllerrevisions', { revision: 3 }, ['a', '<none>', 3, '30s']],
  ['apps/v1.ControllerRevision', 'controllerrevisions', {}, ['a', '<none>', 0, '30s']],
  [
    'apps/v1.DaemonSet',
    'daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: {
        currentNumberScheduled: 5,
        desiredNumberScheduled: 3,
        numberReady: 5,
        updatedNumberScheduled: 4,
      },
    },
    ['a', 3, 5, 5, 4, 0, '<none>', '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.DaemonSet',
    'daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { currentNumberScheduled: 2, desiredNumberScheduled: 3, numberReady: 1, numberAvailable: 1 },
    },
    ['a', 3, 2, 1, 0, 1, '<none>', '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.DaemonSet',
    'daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { currentNumberScheduled: 1, desiredNumberScheduled: 3, numberReady: 1 },
    },
    ['a', 3, 1, 1, 0, 0, '<none>', '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.DaemonSet',
    'daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', 0, 0, 0, 0, 0, '<none>', '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.DaemonSet',
    'daemonsets',
    {
      spec: {
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: {
        currentNumberScheduled: 1,
        desiredNumberScheduled: 2,
        numberReady: 1,
        updatedNumberScheduled: 1,
        numberAvailable: 2,
      },
    },
    ['a', 2, 1, 1, 1, 2, '<none>', '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.Deployment',
    'deployments',
    {
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { readyReplicas: 1 },
    },
    ['a', '1/1', 0, 0, '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.Deployment',
    'deployments',
    {
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { updatedReplicas: 3, readyReplicas: 4 },
    },
    ['a', '4/3', 3, 0, '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  [
    'apps/v1.ReplicaSet',
    'replicasets',
    {
      spec: {
        replicas: 2,
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back', 'front'] }],
        },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', 2, 0, 0, '30s', 'main', 'registry.example.com/web:1.2', 'app=web,tier in (back,front,front)'],
  ],
  [
    'apps/v1.ReplicaSet',
    'replicasets',
    {
      spec: {
        replicas: 5,
        selector: { matchLabels: { app: 'web' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { replicas: 3 },
    },
    ['a', 5, 3, 0, '30s', 'main', 'registry.example.com/web:1.2', 'app=web'],
  ],
  ['apps/v1.StatefulSet', 'statefulsets', { spec: { replicas: 2 } }, ['a', '0/2', '30s', '', '']],
  [
    'apps/v1.StatefulSet',
    'statefulsets',
    {
      spec: {
        replicas: 1,
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', '0/1', '30s', 'main', 'registry.example.com/web:1.2'],
  ],
  [
    'apps/v1.StatefulSet',
    'statefulsets',
    {
      spec: {
        replicas: 1,
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
      status: { readyReplicas: 2 },
    },
    ['a', '2/1', '30s', 'main', 'registry.example.com/web:1.2'],
  ],
];
