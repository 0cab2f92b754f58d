import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const schedulingDefaults: readonly DefaultCase[] = [
  [
    { apiVersion: 'scheduling.orch.io/v1', kind: 'PriorityClass', metadata: { name: 'a' } },
    { '/value': 0, '/preemptionPolicy': 'PreemptLowerPriority' },
  ],
  [
    {
      apiVersion: 'scheduling.orch.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'a' },
      globalDefault: false,
    },
    { '/globalDefault': undefined, '/value': 0, '/preemptionPolicy': 'PreemptLowerPriority' },
  ],
  [
    {
      apiVersion: 'scheduling.orch.io/v1beta1',
      kind: 'PriorityClass',
      metadata: { name: 'a' },
      globalDefault: false,
    },
    { '/globalDefault': undefined, '/value': 0, '/preemptionPolicy': 'PreemptLowerPriority' },
  ],
];
