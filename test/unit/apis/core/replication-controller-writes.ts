import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const replicationControllerWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'ReplicationController',
      metadata: { name: 'rc-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        replicas: 2,
        minReadySeconds: 3,
        selector: { app: 'web' },
        template: {
          metadata: { labels: { app: 'web', tier: 'front' } },
          spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
        },
      },
    },
    status: {
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 1,
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
      { '/spec/template/metadata/namespace': 'sample' },
      { '/spec/template/metadata/selfLink': 'a'.repeat(300) },
      { '/spec/template/metadata/generateName': 'a'.repeat(300) },
      { '/spec/template/spec/containers/0/imagePullPolicy': 'Always' },
      { '/spec/template/spec/priority': 0 },
      { '/spec/template/spec/containers/0/terminationMessagePath': 'a/b' },
      { '/spec/template/spec/priorityClassName': 'sample' },
      { '/spec/template/spec/automountServiceAccountToken': true },
    ],
    refused: [
      [
        { '/spec/template/spec/containers/0/terminationMessagePolicy': 'a'.repeat(300) },
        [
          `spec.template.spec.containers[0].terminationMessagePolicy: Invalid value: "${'a'.repeat(300)}": must be 'File' or 'FallbackToLogsOnError'`,
        ],
      ],
      [{ '/metadata/name': '' }, ['metadata.name: Required value: name or generateName is required']],
      [{ '/metadata/name': 'a.' }, [`metadata.name: Invalid value: "a.": ${subdomain1123}`]],
      [
        { '/spec/template/spec/nodeName': 'naïve' },
        [`spec.template.spec.nodeName: Invalid value: "naïve": ${subdomain1123}`],
      ],
      [
        {
          '/spec/template/spec/containers/0/terminationMessagePolicy': 'file',
          '/spec/selector': { 'a/b/c': 'v' },
        },
        [
          'spec.template.metadata.labels: Invalid value: map[string]string{"app":"web", "tier":"front"}: `selector` does not match template `labels`',
          "spec.template.spec.containers[0].terminationMessagePolicy: Invalid value: \"file\": must be 'File' or 'FallbackToLogsOnError'",
        ],
      ],
    ],
    changed: [
      { '/spec/template/spec/containers/0/workingDir': 'Not_Valid!' },
      { '/spec/template/spec/schedulerName': 'a/b' },
      {
        '/spec/template/spec/ephemeralContainers': [
          {
            name: 'sample',
            image: 'sample',
            workingDir: 'sample',
            terminationMessagePath: 'sample',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
            stdin: true,
            stdinOnce: true,
            tty: true,
            targetContainerName: 'sample',
          },
        ],
      },
      { '/spec/template/spec/overhead': { 'orch.io/y': '1' } },
      { '/spec/template/metadata/generation': 7 },
    ],
    kept: [
      [
        { '/spec/template/spec/preemptionPolicy': 'a'.repeat(300) },
        [
          `spec.template.spec.preemptionPolicy: Unsupported value: "${'a'.repeat(300)}": supported values: "PreemptLowerPriority", "Never"`,
          `spec.template.spec.preemptionPolicy: Unsupported value: "${'a'.repeat(300)}": supported values: "PreemptLowerPriority", "Never"`,
        ],
      ],
    ],
    statusChanged: [
      { '/status/conditions/0/reason': ' lead' },
      { '/spec/template/spec/containers/0/imagePullPolicy': 'Always' },
    ],
    statusKept: [
      [
        { '/status/availableReplicas': 2147483647 },
        [
          'status.availableReplicas: Invalid value: 2147483647: cannot be greater than status.replicas',
          'status.availableReplicas: Invalid value: 2147483647: cannot be greater than readyReplicas',
        ],
      ],
      [
        { '/status/readyReplicas': 70000 },
        ['status.readyReplicas: Invalid value: 70000: cannot be greater than status.replicas'],
      ],
    ],
  },
];
