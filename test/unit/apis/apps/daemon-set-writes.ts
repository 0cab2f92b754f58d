import { label1123, labelValue, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const daemonSetWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apps/v1',
      kind: 'DaemonSet',
      metadata: { name: 'ds-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        template: {
          metadata: { labels: { app: 'web', tier: 'front' }, annotations: { a: 'b' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '10%' } },
        minReadySeconds: 2,
        revisionHistoryLimit: 3,
      },
    },
    status: {
      currentNumberScheduled: 2,
      numberMisscheduled: 0,
      desiredNumberScheduled: 3,
      numberReady: 1,
      observedGeneration: 1,
      updatedNumberScheduled: 1,
      numberAvailable: 1,
      numberUnavailable: 2,
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
      { '/spec/template/spec/containers/0/command': [] },
      { '/spec/template/spec/containers/0/volumeMounts': [] },
      { '/spec/template/metadata/deletionTimestamp': '2020-02-03T04:05:06Z' },
      { '/spec/template/spec/containers/0/imagePullPolicy': 'Always' },
      { '/spec/template/spec/terminationGracePeriodSeconds': -1 },
      { '/spec/template/spec/containers/0/image': ' lead' },
      { '/spec/revisionHistoryLimit': 2147483647 },
    ],
    refused: [
      [
        { '/spec/template/spec/serviceAccount': 'UpperCase' },
        [`spec.template.spec.serviceAccountName: Invalid value: "UpperCase": ${subdomain1123}`],
      ],
      [
        { '/spec/selector/matchExpressions/0/values': [null] },
        [
          'spec.template.metadata.labels: Invalid value: map[string]string{"app":"web", "tier":"front"}: `selector` does not match template `labels`',
        ],
      ],
      [
        { '/spec/template/spec/hostname': '-abc' },
        [`spec.template.spec.hostname: Invalid value: "-abc": ${label1123}`],
      ],
      [
        {
          '/spec/template/spec/tolerations': [
            { key: 'sample', operator: 'Exists', value: 'sample', effect: 'NoSchedule' },
          ],
        },
        [
          "spec.template.spec.tolerations[0].operator: Invalid value: <any>: value must be empty when `operator` is 'Exists'",
        ],
      ],
      [
        { '/spec/template/spec/nodeSelector': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `spec.template.spec.nodeSelector: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
    ],
    changed: [
      { '/spec/template/metadata/clusterName': 'a'.repeat(300) },
      { '/spec/template/spec/terminationGracePeriodSeconds': 0 },
      { '/spec/template/metadata/selfLink': '-abc' },
      { '/spec/template/spec/schedulerName': '../x' },
      { '/spec/template/metadata/name': 'naïve' },
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
        { '/spec/template/spec/serviceAccount': 'naïve' },
        [
          `spec.template.spec.serviceAccountName: Invalid value: "naïve": ${subdomain1123}`,
          `spec.template.spec.serviceAccountName: Invalid value: "naïve": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/template/spec/preemptionPolicy': 'changed' },
        [
          'spec.template.spec.preemptionPolicy: Unsupported value: "changed": supported values: "PreemptLowerPriority", "Never"',
          'spec.template.spec.preemptionPolicy: Unsupported value: "changed": supported values: "PreemptLowerPriority", "Never"',
        ],
      ],
      [
        { '/spec/template/spec/runtimeClassName': '../x' },
        [
          `spec.template.spec.runtimeClassName: Invalid value: "../x": ${subdomain1123}`,
          `spec.template.spec.runtimeClassName: Invalid value: "../x": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/template/spec/containers/0/name': '-abc' },
        [
          `spec.template.spec.containers[0].name: Invalid value: "-abc": ${label1123}`,
          `spec.template.spec.containers[0].name: Invalid value: "-abc": ${label1123}`,
        ],
      ],
    ],
    statusChanged: [
      { '/status': {} },
      { '/status/conditions': [] },
      { '/status/conditions/0/message': '-abc' },
    ],
  },
];
