import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const batchRows: readonly RowCase[] = [
  [
    'batch/v1beta1.CronJob',
    'cronjobs',
    {
      spec: {
        schedule: '*/5 * * * *',
        suspend: true,
        jobTemplate: {
          spec: {
            template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
          },
        },
      },
    },
    ['a', '*/5 * * * *', 'True', 0, '<none>', '30s', 'main', 'registry.example.com/web:1.2', '<none>'],
  ],
  [
    'batch/v1beta1.CronJob',
    'cronjobs',
    {
      spec: {
        schedule: '*/5 * * * *',
        suspend: true,
        jobTemplate: {
          spec: {
            template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
          },
        },
      },
      status: { active: [{}] },
    },
    ['a', '*/5 * * * *', 'True', 1, '<none>', '30s', 'main', 'registry.example.com/web:1.2', '<none>'],
  ],
  [
    'batch/v1.Job',
    'jobs',
    {
      spec: {
        parallelism: 2,
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', '0/1 of 2', '', '30s', 'main', 'registry.example.com/web:1.2', '<none>'],
  ],
  [
    'batch/v1.Job',
    'jobs',
    {
      spec: {
        completions: 4,
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', '0/4', '', '30s', 'main', 'registry.example.com/web:1.2', '<none>'],
  ],
  [
    'batch/v1.Job',
    'jobs',
    {
      spec: {
        completions: 5,
        selector: { matchLabels: { j: 'x' } },
        template: { spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] } },
      },
    },
    ['a', '0/5', '', '30s', 'main', 'registry.example.com/web:1.2', 'j=x'],
  ],
];
