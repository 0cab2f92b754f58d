import { qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const csiDriverWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'storage.orch.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'csid-v1.example.com', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        storageCapacity: true,
        fsGroupPolicy: 'File',
        tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
        requiresRepublish: true,
      },
    },
    accepted: [
      { '/spec/tokenRequests/0/expirationSeconds': undefined },
      { '/spec/tokenRequests/0/audience': 'a/b' },
      { '/spec/attachRequired': true },
      { '/spec': undefined },
      { '/spec/tokenRequests/0/expirationSeconds': 70000 },
    ],
    refused: [
      [
        { '/spec/volumeLifecycleModes/1': 'naïve' },
        [
          'spec.volumeLifecycleModes: Unsupported value: "naïve": supported values: "Persistent", "Ephemeral"',
          'spec.volumeLifecycleModes: Unsupported value: "naïve": supported values: "Persistent", "Ephemeral"',
        ],
      ],
      [
        { '/metadata/generation': -1 },
        [
          'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
          'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
        ],
      ],
      [
        { '/metadata/name': 'Upper' },
        [
          `metadata.name: Invalid value: "Upper": ${subdomain1123}`,
          `metadata.name: Invalid value: "Upper": ${subdomain1123}`,
        ],
      ],
      [
        { '/metadata/finalizers': ['a b', ' '] },
        [
          `metadata.finalizers: Invalid value: "a b": ${qualifiedPart}`,
          `metadata.finalizers: Invalid value: " ": ${qualifiedPart}`,
          'metadata.finalizers[0]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
          'metadata.finalizers[1]: Invalid value: " ": name is neither a standard finalizer name nor is it fully qualified',
          `metadata.finalizers: Invalid value: "a b": ${qualifiedPart}`,
          `metadata.finalizers: Invalid value: " ": ${qualifiedPart}`,
          'metadata.finalizers[0]: Invalid value: "a b": name is neither a standard finalizer name nor is it fully qualified',
          'metadata.finalizers[1]: Invalid value: " ": name is neither a standard finalizer name nor is it fully qualified',
        ],
      ],
      [
        { '/spec/volumeLifecycleModes/1': 'a/b', '/metadata/generateName': 'Not_Valid!' },
        [
          `metadata.generateName: Invalid value: "Not_Valid!": ${subdomain1123}`,
          'spec.volumeLifecycleModes: Unsupported value: "a/b": supported values: "Persistent", "Ephemeral"',
          `metadata.generateName: Invalid value: "Not_Valid!": ${subdomain1123}`,
          'spec.volumeLifecycleModes: Unsupported value: "a/b": supported values: "Persistent", "Ephemeral"',
        ],
      ],
    ],
    changed: [{ '/metadata/labels': { app: 'other' } }],
    kept: [
      [
        { '/spec/podInfoOnMount': false, '/spec/volumeLifecycleModes': undefined },
        ['spec: Invalid value: <any>: field is immutable'],
      ],
      [
        { '/spec/volumeLifecycleModes/0': 'a', '/spec/fsGroupPolicy': 'a' },
        ['spec: Invalid value: <any>: field is immutable'],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'CSIDriver',
      metadata: { name: 'csid-v1beta1.example.com', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        storageCapacity: true,
        fsGroupPolicy: 'File',
        tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
        requiresRepublish: true,
      },
    },
    accepted: [
      {
        '/spec': {
          attachRequired: false,
          podInfoOnMount: true,
          volumeLifecycleModes: ['Persistent', 'Ephemeral'],
          storageCapacity: true,
          fsGroupPolicy: 'File',
          tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
          requiresRepublish: true,
          noSuchField: { a: [1] },
        },
      },
    ],
  },
];
