import { labelValue, qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const storageClassWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'storage.orch.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'sc-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      provisioner: 'example.com/prov',
      parameters: { type: 'fast' },
      reclaimPolicy: 'Retain',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
    },
    accepted: [{ '/provisioner': 'UpperCase' }, { '/mountOptions/0': 'UpperCase' }],
    refused: [
      [
        { '/volumeBindingMode': '' },
        ['volumeBindingMode: Unsupported value: "": supported values: "Immediate", "WaitForFirstConsumer"'],
      ],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
      [{ '/metadata/name': undefined }, ['metadata.name: Required value: name or generateName is required']],
    ],
    changed: [{ '/mountOptions/0': 'changed' }],
    kept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/volumeBindingMode': 'Immediate' },
        [
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'volumeBindingMode: Invalid value: "Immediate": field is immutable',
        ],
      ],
      [
        { '/volumeBindingMode': '-abc' },
        [
          'volumeBindingMode: Unsupported value: "-abc": supported values: "Immediate", "WaitForFirstConsumer"',
          'volumeBindingMode: Invalid value: "-abc": field is immutable',
        ],
      ],
      [
        { '/allowedTopologies/0/matchLabelExpressions': [{ key: 'zone', values: ['a', 'b'] }, {}] },
        [
          'allowedTopologies[0].matchLabelExpressions[1].values: Required value',
          'allowedTopologies[0].matchLabelExpressions[1].key: Invalid value: "": name part must be non-empty',
          `allowedTopologies[0].matchLabelExpressions[1].key: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/reclaimPolicy': 'Recycle' },
        [
          'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
          'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'StorageClass',
      metadata: { name: 'sc-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      provisioner: 'example.com/prov',
      parameters: { type: 'fast' },
      reclaimPolicy: 'Retain',
      mountOptions: ['ro'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }],
    },
    accepted: [
      { '/mountOptions/0': undefined },
      { '/metadata/name': 'a'.repeat(63) },
      { '/metadata/name': 'a'.repeat(64) },
      { '/metadata/name': '1a' },
    ],
    refused: [
      [
        { '/reclaimPolicy': 'UpperCase' },
        ['reclaimPolicy: Unsupported value: "UpperCase": supported values: "Delete", "Retain"'],
      ],
      [
        { '/allowedTopologies': [{ matchLabelExpressions: [{ key: 'zone', values: ['a', 'b'] }] }, {}] },
        [
          'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
          'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
        ],
      ],
      [{ '/metadata/name': 'a%b' }, [`metadata.name: Invalid value: "a%b": ${subdomain1123}`]],
    ],
    changed: [{ '/allowVolumeExpansion': undefined }],
  },
];
