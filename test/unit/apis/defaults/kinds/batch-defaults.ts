import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const batchDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          metadata: { labels: {} },
          spec: {
            template: {
              metadata: { labels: {} },
              spec: {
                restartPolicy: 'OnFailure',
                containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
              },
            },
          },
        },
      },
    },
    {
      '/spec/jobTemplate/metadata/labels': undefined,
      '/spec/jobTemplate/metadata/creationTimestamp': null,
      '/spec/jobTemplate/spec/template/metadata/labels': undefined,
      '/spec/jobTemplate/spec/template/metadata/creationTimestamp': null,
      '/spec/jobTemplate/spec/template/spec/containers/0/resources': {},
      '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/jobTemplate/spec/template/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/jobTemplate/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/jobTemplate/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/jobTemplate/spec/template/spec/securityContext': {},
      '/spec/jobTemplate/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/concurrencyPolicy': 'Allow',
      '/spec/suspend': false,
      '/spec/successfulJobsHistoryLimit': 3,
      '/spec/failedJobsHistoryLimit': 1,
    },
  ],
  [
    {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: 'OnFailure',
                containers: [{ name: 'main', image: 'registry.example.com/web:1.2', startupProbe: null }],
              },
            },
          },
        },
      },
    },
    {
      '/spec/jobTemplate/spec/template/spec/containers/0/startupProbe': undefined,
      '/spec/jobTemplate/spec/template/spec/containers/0/resources': {},
      '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/jobTemplate/spec/template/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/jobTemplate/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/jobTemplate/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/jobTemplate/spec/template/spec/securityContext': {},
      '/spec/jobTemplate/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/jobTemplate/spec/template/metadata': { creationTimestamp: null },
      '/spec/jobTemplate/metadata': { creationTimestamp: null },
      '/spec/concurrencyPolicy': 'Allow',
      '/spec/suspend': false,
      '/spec/successfulJobsHistoryLimit': 3,
      '/spec/failedJobsHistoryLimit': 1,
    },
  ],
  [
    {
      apiVersion: 'batch/v1beta1',
      kind: 'CronJob',
      metadata: { name: 'a' },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: 'OnFailure',
                containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
                ephemeralContainers: [],
              },
            },
          },
        },
      },
    },
    {
      '/spec/jobTemplate/spec/template/spec/containers/0/resources': {},
      '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/jobTemplate/spec/template/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/jobTemplate/spec/template/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/jobTemplate/spec/template/spec/ephemeralContainers': undefined,
      '/spec/jobTemplate/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/jobTemplate/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/jobTemplate/spec/template/spec/securityContext': {},
      '/spec/jobTemplate/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/jobTemplate/spec/template/metadata': { creationTimestamp: null },
      '/spec/jobTemplate/metadata': { creationTimestamp: null },
      '/spec/concurrencyPolicy': 'Allow',
      '/spec/suspend': false,
      '/spec/successfulJobsHistoryLimit': 3,
      '/spec/failedJobsHistoryLimit': 1,
    },
  ],
  [
    {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'a' },
      spec: {
        ttlSecondsAfterFinished: 60,
        template: {
          metadata: { labels: {} },
          spec: {
            restartPolicy: 'OnFailure',
            containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }],
          },
        },
        manualSelector: true,
        selector: { matchLabels: {} },
      },
    },
    {
      '/spec/ttlSecondsAfterFinished': undefined,
      '/spec/template/metadata/labels': undefined,
      '/spec/template/metadata/creationTimestamp': null,
      '/spec/template/spec/containers/0/resources': {},
      '/spec/template/spec/containers/0/terminationMessagePath': '/dev/termination-log',
      '/spec/template/spec/containers/0/terminationMessagePolicy': 'File',
      '/spec/template/spec/containers/0/imagePullPolicy': 'IfNotPresent',
      '/spec/template/spec/terminationGracePeriodSeconds': 30,
      '/spec/template/spec/dnsPolicy': 'ClusterFirst',
      '/spec/template/spec/securityContext': {},
      '/spec/template/spec/schedulerName': 'default-scheduler',
      '/spec/selector/matchLabels': undefined,
      '/spec/parallelism': 1,
      '/spec/completions': 1,
      '/spec/backoffLimit': 6,
    },
  ],
];
