import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const csiNodeWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'storage.orch.io/v1',
      kind: 'CSINode',
      metadata: { name: 'csin-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        drivers: [
          {
            name: 'csi.example.com',
            nodeID: 'id',
            topologyKeys: ['zone', 'rack'],
            allocatable: { count: 5 },
          },
        ],
      },
    },
    changed: [
      { '/spec/drivers': [] },
      { '/spec/drivers': [{ name: 'other.example.com', nodeID: 'id', topologyKeys: null }] },
    ],
    kept: [
      [{ '/spec/drivers/0/nodeID': 'other' }, ['CSINodeDriver: Invalid value: <any>: field is immutable']],
    ],
    accepted: [
      { '/spec/drivers/0/topologyKeys/0': undefined },
      { '/metadata/name': 'a'.repeat(64) },
      { '/metadata/name': 'a'.repeat(64) },
    ],
    refused: [
      [
        { '/metadata/labels': { k: 'a'.repeat(70) } },
        [
          `metadata.labels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`,
          `metadata.labels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`,
        ],
      ],
      [
        { '/spec/drivers/0/name': '../x' },
        [
          `spec.drivers[0].name: Invalid value: "../x": ${subdomain1123}`,
          `spec.drivers[0].name: Invalid value: "../x": ${subdomain1123}`,
        ],
      ],
      [
        { '/metadata/annotations': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `metadata.annotations: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
          `metadata.annotations: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
      [
        { '/metadata/ownerReferences': [{}] },
        [
          'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
          'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
          'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
          'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
          'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
          'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty',
          'metadata.ownerReferences.name: Invalid value: "": name must not be empty',
          'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
        ],
      ],
      [
        {
          '/spec/drivers': [
            {
              name: 'csi.example.com',
              nodeID: 'id',
              topologyKeys: ['zone', 'rack'],
              allocatable: { count: 5 },
            },
            {
              name: 'csi.example.com',
              nodeID: 'id',
              topologyKeys: ['zone', 'rack'],
              allocatable: { count: 5 },
            },
          ],
        },
        [
          'spec.drivers[1].name: Duplicate value: "csi.example.com"',
          'spec.drivers[1].name: Duplicate value: "csi.example.com"',
        ],
      ],
      [
        { '/metadata/annotations': { '/k': 'v' } },
        [
          'metadata.annotations: Invalid value: "/k": prefix part must be non-empty',
          'metadata.annotations: Invalid value: "/k": prefix part must be non-empty',
        ],
      ],
      [
        { '/metadata/name': 'a/b' },
        [
          `metadata.name: Invalid value: "a/b": ${subdomain1123}`,
          `metadata.name: Invalid value: "a/b": ${subdomain1123}`,
        ],
      ],
      [
        { '/metadata/generateName': ' lead' },
        [
          `metadata.generateName: Invalid value: " lead": ${subdomain1123}`,
          `metadata.generateName: Invalid value: " lead": ${subdomain1123}`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'CSINode',
      metadata: { name: 'csin-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        drivers: [
          {
            name: 'csi.example.com',
            nodeID: 'id',
            topologyKeys: ['zone', 'rack'],
            allocatable: { count: 5 },
          },
        ],
      },
    },
    refused: [
      [
        { '/metadata': undefined },
        [
          'metadata.name: Required value: name or generateName is required',
          'metadata.name: Required value: name or generateName is required',
        ],
      ],
      [
        { '/spec/drivers': [null] },
        [
          'spec.drivers[0].name: Required value',
          `spec.drivers[0].name: Invalid value: "": ${subdomain1123}`,
          'spec.drivers[0].nodeID: Required value',
          'spec.drivers[0].name: Required value',
          `spec.drivers[0].name: Invalid value: "": ${subdomain1123}`,
          'spec.drivers[0].nodeID: Required value',
        ],
      ],
      [
        { '/metadata/labels': { '/k': 'v' } },
        [
          'metadata.labels: Invalid value: "/k": prefix part must be non-empty',
          'metadata.labels: Invalid value: "/k": prefix part must be non-empty',
        ],
      ],
      [
        { '/spec/drivers/0/topologyKeys/1': 'a'.repeat(300) },
        [
          `spec.drivers[0]: Invalid value: []string{"zone", "${'a'.repeat(300)}"}: name part must be no more than 63 characters`,
          `spec.drivers[0]: Invalid value: []string{"zone", "${'a'.repeat(300)}"}: name part must be no more than 63 characters`,
        ],
      ],
    ],
  },
];
