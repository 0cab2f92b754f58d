import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const priorityClassWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'scheduling.orch.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'prio-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      value: 1000,
      globalDefault: false,
      description: 'd',
      preemptionPolicy: 'Never',
    },
    accepted: [{ '/globalDefault': undefined }, { '/value': 1 }],
    refused: [
      [
        { '/preemptionPolicy': 'Bogus' },
        ['preemptionPolicy: Unsupported value: "Bogus": supported values: "PreemptLowerPriority", "Never"'],
      ],
      [{ '/preemptionPolicy': '' }, ['preemptionPolicy: Required value']],
    ],
    kept: [
      [
        { '/preemptionPolicy': 'PreemptLowerPriority' },
        ['preemptionPolicy: Invalid value: "PreemptLowerPriority": field is immutable'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'scheduling.orch.io/v1beta1',
      kind: 'PriorityClass',
      metadata: { name: 'prio-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      value: 1000,
      globalDefault: false,
      description: 'd',
      preemptionPolicy: 'Never',
    },
    refused: [
      [{ '/metadata/name': undefined }, ['metadata.name: Required value: name or generateName is required']],
      [{ '/metadata/name': 'a..b' }, [`metadata.name: Invalid value: "a..b": ${subdomain1123}`]],
    ],
  },
];
