import { labelValue, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const replicaSetWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'rs-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        replicas: 2,
        minReadySeconds: 1,
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        template: {
          metadata: { labels: { app: 'web', tier: 'front' }, annotations: { a: 'b' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    status: {
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 1,
      observedGeneration: 1,
      conditions: [
        {
          type: 'ReplicaFailure',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
    },
    accepted: [
      { '/spec/template/metadata/uid': 'a/b' },
      { '/spec/template/metadata/selfLink': '-abc' },
      { '/spec/template/spec/schedulerName': ' lead' },
      { '/spec/template/spec/containers/0/workingDir': 'naïve' },
      { '/spec/template/spec/volumes': [{ name: 'sample' }] },
      { '/spec/template/spec/containers/0/terminationMessagePath': '/a/../b' },
    ],
    refused: [
      [
        { '/spec/template/spec/dnsPolicy': '-abc' },
        [
          'spec.template.spec.dnsPolicy: Unsupported value: "-abc": supported values: "ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"',
        ],
      ],
      [{ '/metadata/name': 'Upper' }, [`metadata.name: Invalid value: "Upper": ${subdomain1123}`]],
      [
        { '/spec/template/spec/preemptionPolicy': '-abc' },
        [
          'spec.template.spec.preemptionPolicy: Unsupported value: "-abc": supported values: "PreemptLowerPriority", "Never"',
        ],
      ],
      [{ '/spec/template/spec/volumes': [{}] }, ['spec.template.spec.volumes[0].name: Required value']],
    ],
    changed: [
      { '/spec/template/spec/restartPolicy': 'Always' },
      { '/spec/template/spec/hostname': 'sample' },
      { '/spec/template/spec/automountServiceAccountToken': true },
      { '/spec/template/metadata/generateName': 'a/b' },
    ],
    kept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/spec/selector/matchExpressions/0/values': ['front'] },
        [
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'spec.selector: Invalid value: <any>: field is immutable',
        ],
      ],
      [
        { '/spec/selector/matchExpressions/0/values': ['front'] },
        ['spec.selector: Invalid value: <any>: field is immutable'],
      ],
    ],
    statusChanged: [
      { '/status/conditions/0/reason': undefined },
      { '/status/conditions/0/type': 'a'.repeat(300) },
      { '/status/readyReplicas': 1 },
      { '/status/conditions/0/message': '../x' },
      { '/spec/template/spec/priorityClassName': 'changed' },
    ],
  },
];
