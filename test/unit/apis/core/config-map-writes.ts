import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const configMapWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'cm-a',
        labels: { app: 'web' },
        annotations: { note: 'one' },
        finalizers: ['example.com/hold'],
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: 'd',
            uid: 'd-uid',
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      immutable: false,
      data: { 'a.conf': 'x=1\n', b: '2' },
      binaryData: { bin: 'AAEC' },
    },
    refused: [
      [{ '/metadata/name': '../x' }, [`metadata.name: Invalid value: "../x": ${subdomain1123}`]],
      [
        { '/metadata/generateName': 'a'.repeat(300) },
        [`metadata.generateName: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`],
      ],
      [
        { '/data': { '/k': 'v' } },
        [
          "data[/k]: Invalid value: \"/k\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ],
      ],
      [
        { '/data': { '': 'sample' } },
        [
          "data[]: Invalid value: \"\": a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')",
        ],
      ],
      [
        { '/metadata/ownerReferences/0/kind': '' },
        ['metadata.ownerReferences.kind: Invalid value: "": kind must not be empty'],
      ],
    ],
  },
];
