import { qualifiedPart } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const disruptionBudgetWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'policy/v1beta1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'pdb-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        minAvailable: '50%',
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
      },
    },
    accepted: [
      {
        '/spec/selector': {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
          noSuchField: { a: [1] },
        },
      },
      { '/metadata/name': 'a:b' },
    ],
    refused: [
      [
        { '/metadata/finalizers': ['a b', ' '] },
        [
          `metadata.finalizers: Invalid value: "a b": ${qualifiedPart}`,
          `metadata.finalizers: Invalid value: " ": ${qualifiedPart}`,
        ],
      ],
      [
        { '/metadata/labels': { 'bad key!': 'v' } },
        [`metadata.labels: Invalid value: "bad key!": ${qualifiedPart}`],
      ],
      [
        { '/spec/maxUnavailable': 70000 },
        ['spec: Invalid value: <any>: minAvailable and maxUnavailable cannot be both set'],
      ],
      [
        { '/metadata/annotations': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `metadata.annotations: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
    ],
    kept: [
      [
        { '/spec/maxUnavailable': 1 },
        ['spec: Invalid value: <any>: minAvailable and maxUnavailable cannot be both set'],
      ],
    ],
  },
];
