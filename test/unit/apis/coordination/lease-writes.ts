import { qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const leaseWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'coordination.orch.io/v1',
      kind: 'Lease',
      metadata: { name: 'lease-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        holderIdentity: 'h',
        leaseDurationSeconds: 15,
        acquireTime: '2020-01-01T00:00:00.123456Z',
        renewTime: '2020-01-01T00:00:05.000000Z',
        leaseTransitions: 2,
      },
    },
    accepted: [
      { '/spec/holderIdentity': 'a/b' },
      { '/spec/holderIdentity': '../x' },
      { '/spec/leaseDurationSeconds': 2147483647 },
      { '/metadata/name': 'a'.repeat(64) },
    ],
    refused: [
      [
        { '/spec/leaseDurationSeconds': 0, '/spec/leaseTransitions': -1 },
        [
          'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
          'spec.leaseTransitions: Invalid value: -1: must to greater or equal than 0',
        ],
      ],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
    ],
    changed: [{ '/spec/leaseDurationSeconds': 2147483647 }],
  },
  {
    body: {
      apiVersion: 'coordination.orch.io/v1beta1',
      kind: 'Lease',
      metadata: { name: 'lease-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        holderIdentity: 'h',
        leaseDurationSeconds: 15,
        acquireTime: '2020-01-01T00:00:00.123456Z',
        renewTime: '2020-01-01T00:00:05.000000Z',
        leaseTransitions: 2,
      },
    },
    accepted: [{ '/spec/renewTime': undefined }],
    refused: [
      [{ '/metadata/name': '..' }, [`metadata.name: Invalid value: "..": ${subdomain1123}`]],
      [
        {
          '/metadata/finalizers': [''],
          '/metadata/labels': { 'a/b/c': 'v' },
          '/metadata/generateName': ' lead',
          '/metadata/name': 'a'.repeat(254),
        },
        [
          `metadata.generateName: Invalid value: " lead": ${subdomain1123}`,
          `metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
          "metadata.labels: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
          'metadata.finalizers: Invalid value: "": name part must be non-empty',
          `metadata.finalizers: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
    ],
    changed: [{ '/spec/holderIdentity': 'a/b' }],
  },
];
