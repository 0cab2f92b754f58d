import { label1123, labelValue, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const runtimeClassWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'node.orch.io/v1',
      kind: 'RuntimeClass',
      metadata: { name: 'rc-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      handler: 'runc',
      overhead: { podFixed: { cpu: '100m', memory: '64Mi' } },
      scheduling: {
        nodeSelector: { a: 'b' },
        tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
      },
    },
    accepted: [
      {
        '/scheduling': {
          nodeSelector: { a: 'b' },
          tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
          noSuchField: { a: [1] },
        },
      },
      { '/overhead/podFixed': { memory: '1.5' } },
      { '/overhead': undefined },
      { '/metadata/finalizers': ['sample'] },
    ],
    changed: [{ '/scheduling': undefined }],
    refused: [
      [
        { '/overhead/podFixed': { cpu: '-1', 'example.com/gpu': '1500m' } },
        [
          'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
          'overhead.limits[example.com/gpu]: Invalid value: <any>: must be an integer',
        ],
      ],
      [
        { '/overhead/podFixed': { 'hugepages-2Mi': '2Mi' } },
        ['overhead: Forbidden: HugePages require cpu or memory'],
      ],
      [
        { '/scheduling/tolerations/1': { key: 'k', operator: 'Exists', effect: 'NoSchedule' } },
        ['scheduling.tolerations[1]: Duplicate value: core.Toleration{Key:"k", <any>}'],
      ],
      [
        {
          '/scheduling/tolerations': [
            { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 1 },
            { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2 },
            { key: 'k', operator: 'Exists', effect: 'NoExecute', value: '' },
            { key: 'k', operator: 'Exists', effect: 'NoSchedule' },
          ],
        },
        [
          'scheduling.tolerations[1]: Duplicate value: core.Toleration{Key:"k", <any>}',
          'scheduling.tolerations[2]: Duplicate value: core.Toleration{Key:"k", <any>}',
        ],
      ],
      [
        { '/scheduling/tolerations/0/effect': 'a/b' },
        [
          'scheduling.tolerations.tolerations[0].effect: Unsupported value: "a/b": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ],
      ],
      [
        { '/scheduling/tolerations/0/tolerationSeconds': 2147483647 },
        [
          'scheduling.tolerations.tolerations[0].effect: Invalid value: "NoSchedule": effect must be \'NoExecute\' when `tolerationSeconds` is set',
        ],
      ],
      [{ '/handler': undefined }, [`handler: Invalid value: "": ${label1123}`]],
      [
        { '/metadata/name': 'a'.repeat(300) },
        [`metadata.name: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`],
      ],
      [{ '/metadata/name': 'a/b' }, [`metadata.name: Invalid value: "a/b": ${subdomain1123}`]],
      [
        { '/metadata/name': '', '/scheduling/tolerations/0/effect': 'Bogus' },
        [
          'metadata.name: Required value: name or generateName is required',
          'scheduling.tolerations.tolerations[0].effect: Unsupported value: "Bogus": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
        ],
      ],
    ],
    kept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/handler': 'other' },
        [
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'handler: Invalid value: "other": field is immutable',
        ],
      ],
      [
        { '/handler': '-abc' },
        [
          `handler: Invalid value: "-abc": ${label1123}`,
          'handler: Invalid value: "-abc": field is immutable',
        ],
      ],
    ],
  },
];
