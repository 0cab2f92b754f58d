import { labelValue, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const jobWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        parallelism: 2,
        completions: 4,
        activeDeadlineSeconds: 100,
        backoffLimit: 3,
        ttlSecondsAfterFinished: 60,
        template: {
          metadata: { labels: { j: 'x' } },
          spec: {
            restartPolicy: 'OnFailure',
            containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
          },
        },
      },
    },
    status: {
      conditions: [
        {
          type: 'Complete',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
          lastProbeTime: '2020-01-01T00:00:00Z',
        },
      ],
      startTime: '2020-01-01T00:00:00Z',
      completionTime: '2020-01-01T00:05:30Z',
      active: 1,
      succeeded: 4,
      failed: 1,
    },
    accepted: [
      { '/spec/activeDeadlineSeconds': 1 },
      { '/spec/template/spec/subdomain': 'sample' },
      { '/spec/template/spec/schedulerName': 'naïve' },
      { '/spec/template/spec/overhead': { memory: '1.5' } },
      { '/spec/template/metadata/selfLink': ' lead' },
      { '/spec/template/spec/containers/0/args': ['Not_Valid!', '-x'] },
      { '/spec/template/metadata/finalizers': ['a b', ' '] },
      { '/spec/template/metadata/annotations': { k: 'a'.repeat(70) } },
      { '/spec/template/spec/containers/0/ports': [] },
      {
        '/spec/template/spec/topologySpreadConstraints': [
          { maxSkew: 7, topologyKey: 'sample', whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
      { '/spec/template/spec/ephemeralContainers': [] },
      { '/metadata/name': '1a' },
    ],
    refused: [
      [
        { '/spec/template/metadata/labels': { 'a/b/c': 'v' } },
        [
          "spec.template.labels: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
        ],
      ],
      [
        { '/spec/template/spec/priorityClassName': '../x' },
        [`spec.template.spec.priorityClassName: Invalid value: "../x": ${subdomain1123}`],
      ],
      [
        {
          '/metadata/labels': { 'a/b/c': 'v' },
          '/spec/template/spec/overhead': { '': '1500m' },
          '/spec/template/spec/containers/0/imagePullPolicy': 'naïve',
        },
        [
          "metadata.labels: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
          'spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "naïve": supported values: "Always", "IfNotPresent", "Never"',
          'spec.template.spec.overhead.limits[]: Invalid value: "": name part must be non-empty',
          `spec.template.spec.overhead.limits[]: Invalid value: "": ${qualifiedPart}`,
          'spec.template.spec.overhead.limits[]: Invalid value: "": must be a standard resource for containers',
        ],
      ],
      [
        { '/spec/template/spec/serviceAccount': 'naïve' },
        [`spec.template.spec.serviceAccountName: Invalid value: "naïve": ${subdomain1123}`],
      ],
    ],
    kept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/spec/template/spec/schedulerName': 'changed' },
        [
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'spec.template: Invalid value: <any>: field is immutable',
        ],
      ],
      [
        { '/spec/template/spec/nodeName': 'naïve' },
        [
          `spec.template.spec.nodeName: Invalid value: "naïve": ${subdomain1123}`,
          `spec.template.spec.nodeName: Invalid value: "naïve": ${subdomain1123}`,
          'spec.template: Invalid value: <any>: field is immutable',
        ],
      ],
      [
        { '/spec/template/spec/schedulerName': 'changed' },
        ['spec.template: Invalid value: <any>: field is immutable'],
      ],
    ],
    statusChanged: [
      { '/status/conditions/0/lastProbeTime': '2020-02-03T04:05:06.123456789Z' },
      { '/status/conditions/0/lastTransitionTime': undefined },
      { '/status/startTime': undefined },
      { '/status/conditions/0/message': 'a/b' },
      { '/status/conditions/0/status': ' lead' },
      { '/spec/template/metadata/deletionGracePeriodSeconds': 4 },
    ],
  },
  {
    body: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job-m', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        parallelism: 2,
        completions: 4,
        activeDeadlineSeconds: 100,
        backoffLimit: 3,
        ttlSecondsAfterFinished: 60,
        template: {
          metadata: { labels: { j: 'x' } },
          spec: {
            restartPolicy: 'OnFailure',
            containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
          },
        },
        manualSelector: true,
        selector: { matchLabels: { j: 'x' } },
      },
    },
    accepted: [
      { '/spec/template/spec/containers/0/terminationMessagePath': 'naïve' },
      { '/spec/template/spec/containers/0/stdinOnce': true },
    ],
    refused: [
      [
        { '/spec/template/metadata/labels': { k: 'a'.repeat(70) } },
        [
          `spec.template.labels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`,
          `spec.template.metadata.labels: Invalid value: map[string]string{"k":"${'a'.repeat(70)}"}: \`selector\` does not match template \`labels\``,
        ],
      ],
      [
        { '/spec/template/spec/containers/0/volumeDevices': [{ name: 'sample', devicePath: 'sample' }] },
        ['spec.template.spec.containers[0].volumeDevices[0].name: Not found: "sample"'],
      ],
      [
        { '/spec/template/spec/overhead': { cpu: '-1' } },
        ['spec.template.spec.overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
      ],
      [
        { '/spec/template/spec/nodeSelector': { ['a'.repeat(64)]: 'sample' } },
        [
          `spec.template.spec.nodeSelector: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
        ],
      ],
      [{ '/metadata/name': 'a/b' }, [`metadata.name: Invalid value: "a/b": ${subdomain1123}`]],
      [
        { '/spec/template/metadata/labels': { '': 'sample' } },
        [
          'spec.template.labels: Invalid value: "": name part must be non-empty',
          `spec.template.labels: Invalid value: "": ${qualifiedPart}`,
          'spec.template.metadata.labels: Invalid value: map[string]string{"":"sample"}: `selector` does not match template `labels`',
        ],
      ],
    ],
    kept: [
      [
        { '/spec/template/spec/setHostnameAsFQDN': true },
        ['spec.template: Invalid value: <any>: field is immutable'],
      ],
      [
        { '/spec/template/spec/containers/0/workingDir': 'a'.repeat(300) },
        ['spec.template: Invalid value: <any>: field is immutable'],
      ],
      [
        { '/spec/template/spec/containers/0/imagePullPolicy': 'a/b' },
        [
          'spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "a/b": supported values: "Always", "IfNotPresent", "Never"',
          'spec.template.spec.containers[0].imagePullPolicy: Unsupported value: "a/b": supported values: "Always", "IfNotPresent", "Never"',
          'spec.template: Invalid value: <any>: field is immutable',
        ],
      ],
    ],
  },
];
