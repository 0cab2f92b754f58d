import { label1123, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const cronJobWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'cj-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        schedule: '*/5 * * * *',
        startingDeadlineSeconds: 30,
        concurrencyPolicy: 'Forbid',
        suspend: true,
        successfulJobsHistoryLimit: 2,
        failedJobsHistoryLimit: 1,
        jobTemplate: {
          metadata: { labels: { c: 'j' } },
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
      },
    },
    status: {
      active: [{ kind: 'Job', namespace: 'default', name: 'j1', uid: 'u', apiVersion: 'batch/v1' }],
      lastScheduleTime: '2020-01-01T00:00:00Z',
    },
    accepted: [
      { '/spec/jobTemplate/spec/template/spec/containers/0/command': ['sample'] },
      { '/spec/jobTemplate/spec/completions': 70000 },
      { '/spec/jobTemplate/metadata/annotations': { 'a/b/c': 'v' } },
      { '/spec/jobTemplate/metadata/resourceVersion': '-abc' },
      { '/spec/jobTemplate/metadata/selfLink': 'UpperCase' },
      { '/spec/jobTemplate/spec/parallelism': undefined },
      { '/spec/jobTemplate/spec/template/metadata/deletionGracePeriodSeconds': 0 },
      { '/spec/jobTemplate/spec/template/metadata/generation': 7 },
    ],
    refused: [
      [
        { '/spec/jobTemplate/spec/template/spec/containers/0/name': '-abc' },
        [`spec.jobTemplate.spec.template.spec.containers[0].name: Invalid value: "-abc": ${label1123}`],
      ],
      [
        {
          '/spec/jobTemplate/spec/template/spec/containers/0/volumeMounts': [
            { name: 'sample', readOnly: true, mountPath: 'sample', subPath: 'sample', subPathExpr: 'sample' },
          ],
        },
        [
          'spec.jobTemplate.spec.template.spec.containers[0].volumeMounts[0].name: Not found: "sample"',
          'spec.jobTemplate.spec.template.spec.containers[0].volumeMounts[0].subPathExpr: Invalid value: "sample": subPathExpr and subPath are mutually exclusive',
        ],
      ],
      [
        { '/spec/jobTemplate/spec/template/spec/serviceAccountName': 'naïve' },
        [`spec.jobTemplate.spec.template.spec.serviceAccountName: Invalid value: "naïve": ${subdomain1123}`],
      ],
      [{ '/spec/schedule': '' }, ['spec.schedule: Required value']],
      [
        { '/spec/jobTemplate/spec/template/metadata/annotations': { 'bad key!': 'v' } },
        [`spec.jobTemplate.spec.template.annotations: Invalid value: "bad key!": ${qualifiedPart}`],
      ],
      [
        {
          '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePolicy': 'Not_Valid!',
          '/spec/concurrencyPolicy': '../x',
          '/spec/schedule': 'naïve',
        },
        [
          'spec.schedule: Invalid value: "naïve": Expected exactly 5 fields, found 1: naïve',
          'spec.concurrencyPolicy: Unsupported value: "../x": supported values: "Allow", "Forbid", "Replace"',
          "spec.jobTemplate.spec.template.spec.containers[0].terminationMessagePolicy: Invalid value: \"Not_Valid!\": must be 'File' or 'FallbackToLogsOnError'",
        ],
      ],
      [
        { '/metadata/name': ' lead', '/spec/jobTemplate/spec/template/spec/restartPolicy': 'Bogus' },
        [
          `metadata.name: Invalid value: " lead": ${subdomain1123}`,
          'spec.jobTemplate.spec.template.spec.restartPolicy: Unsupported value: "Bogus": supported values: "Always", "OnFailure", "Never"',
          'spec.jobTemplate.spec.template.spec.restartPolicy: Unsupported value: "Bogus": supported values: "OnFailure", "Never"',
        ],
      ],
      [
        {
          '/spec/concurrencyPolicy': 'Not_Valid!',
          '/spec/jobTemplate/spec/template/spec/containers/0/image': '',
        },
        [
          'spec.concurrencyPolicy: Unsupported value: "Not_Valid!": supported values: "Allow", "Forbid", "Replace"',
          'spec.jobTemplate.spec.template.spec.containers[0].image: Required value',
        ],
      ],
      [
        { '/spec/jobTemplate/spec/template/spec/tolerations': [{}] },
        [
          'spec.jobTemplate.spec.template.spec.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ],
      ],
    ],
    changed: [
      { '/spec/jobTemplate/spec/template/spec/volumes': undefined },
      {
        '/spec': {
          schedule: '*/5 * * * *',
          startingDeadlineSeconds: 30,
          concurrencyPolicy: 'Forbid',
          suspend: true,
          successfulJobsHistoryLimit: 2,
          failedJobsHistoryLimit: 1,
          jobTemplate: {
            metadata: { labels: { c: 'j' } },
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
          noSuchField: { a: [1] },
        },
      },
      { '/spec/jobTemplate/spec/template/spec/setHostnameAsFQDN': true },
      { '/spec/jobTemplate/spec/template/spec/priorityClassName': 'changed' },
      { '/spec/jobTemplate/spec/template/metadata/creationTimestamp': '2020-02-03T04:05:06.123456789Z' },
      { '/spec/jobTemplate/spec/template/spec/enableServiceLinks': true },
      { '/spec/jobTemplate/spec/template/spec/imagePullSecrets': [{ name: 'sample' }] },
    ],
    kept: [
      [
        { '/spec/jobTemplate/spec/template/spec/restartPolicy': undefined },
        [
          'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
        ],
      ],
      [
        { '/spec/jobTemplate/spec': undefined },
        [
          'spec.jobTemplate.spec.template.spec.containers: Required value',
          'spec.jobTemplate.spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
        ],
      ],
    ],
    statusChanged: [
      { '/status/active/0/apiVersion': 'naïve' },
      { '/status/active/0/uid': '' },
      { '/status/lastScheduleTime': '2020-02-03T04:05:06+02:00' },
      { '/status/active/0/apiVersion': '../x' },
    ],
  },
];
