import { labelValue, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const statefulSetWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'sts-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        replicas: 2,
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        template: {
          metadata: { labels: { app: 'web', tier: 'front' }, annotations: { a: 'b' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
        serviceName: 'headless',
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        revisionHistoryLimit: 5,
        volumeClaimTemplates: [
          {
            metadata: { name: 'data', labels: { x: 'y' } },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      },
    },
    status: {
      observedGeneration: 1,
      replicas: 2,
      readyReplicas: 1,
      currentReplicas: 1,
      updatedReplicas: 1,
      currentRevision: 'r1',
      updateRevision: 'r2',
      collisionCount: 0,
      conditions: [
        {
          type: 'X',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
        },
      ],
    },
    accepted: [
      { '/spec/template/metadata/annotations': { k: null } },
      { '/spec/template/spec/containers/0/terminationMessagePath': 'Not_Valid!' },
      { '/spec/volumeClaimTemplates/0/metadata/resourceVersion': '../x' },
      { '/spec/volumeClaimTemplates/0/spec': {} },
      { '/spec/template/spec/serviceAccount': 'a/b' },
      { '/spec/volumeClaimTemplates/0/spec/dataSource': { kind: 'sample', name: 'sample' } },
      { '/spec/template/spec/containers/0/image': 'a/b' },
      { '/spec/template/spec/containers/0/lifecycle': {} },
      { '/spec/template/spec/containers/0/name': 'UpperCase' },
      { '/spec/template/spec/readinessGates': [{ conditionType: 'ContainersReady' }] },
      { '/metadata/name': 'a'.repeat(63) },
    ],
    refused: [
      [
        { '/spec/updateStrategy/type': 'Not_Valid!' },
        ["spec.updateStrategy: Invalid value: <any>: must be 'RollingUpdate' or 'OnDelete'"],
      ],
      [
        { '/spec/template/metadata/labels': { 'bad key!': 'v' } },
        [
          'spec.template.metadata.labels: Invalid value: map[string]string{"bad key!":"v"}: `selector` does not match template `labels`',
          `spec.template.labels: Invalid value: "bad key!": ${qualifiedPart}`,
        ],
      ],
      [{ '/spec/selector/matchExpressions/0/values/0': ' lead' }, ['spec.selector: Invalid value: <any>']],
      [
        { '/metadata/name': '../x', '/spec/podManagementPolicy': ' lead' },
        [
          `metadata.name: Invalid value: "../x": ${subdomain1123}`,
          "spec.podManagementPolicy: Invalid value: \" lead\": must be 'OrderedReady' or 'Parallel'",
        ],
      ],
    ],
    changed: [
      { '/spec/template/spec/containers/0/imagePullPolicy': 'Always' },
      { '/spec/template/metadata/finalizers': ['a b', ' '] },
      { '/spec/template/spec/runtimeClassName': '' },
    ],
    kept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/spec/replicas': -1, '/spec/serviceName': 'other' },
        [
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden",
          'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
        ],
      ],
      [
        { '/spec/volumeClaimTemplates/0/spec/volumeName': ' lead' },
        [
          "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'template', and 'updateStrategy' are forbidden",
        ],
      ],
    ],
    statusKept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/status/updatedReplicas': 99 },
        [
          'status.updatedReplicas: Invalid value: 99: cannot be greater than status.replicas',
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
        ],
      ],
    ],
    statusChanged: [
      { '/status/updatedReplicas': 1 },
      { '/status/conditions/0/lastTransitionTime': '2020-02-03T04:05:06.123456789Z' },
      { '/status/conditions/0/status': 'a/b' },
      { '/status/conditions/0/message': 'a'.repeat(300) },
      { '/status/observedGeneration': 1 },
      { '/status/collisionCount': undefined },
      { '/spec/volumeClaimTemplates/0/metadata/generation': 4 },
    ],
  },
];
