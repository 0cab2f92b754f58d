import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const ingressClassWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'networking.orch.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'ic-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        controller: 'example.com/ingress',
        parameters: { apiGroup: 'example.com', kind: 'Params', name: 'p' },
      },
    },
    accepted: [{ '/spec/parameters/kind': 'a'.repeat(300) }],
    refused: [
      [
        { '/spec/parameters/apiGroup': 'Not_Valid!' },
        [`spec.parameters.apiGroup: Invalid value: "Not_Valid!": ${subdomain1123}`],
      ],
      [
        { '/spec/controller': 'a'.repeat(300) },
        [
          'spec.controller: Too long: must have at most 250 bytes',
          `spec.controller: Invalid value: "${'a'.repeat(300)}": must be a domain-prefixed path (such as "acme.io/foo")`,
        ],
      ],
      [{ '/metadata/name': 'naïve' }, [`metadata.name: Invalid value: "naïve": ${subdomain1123}`]],
      [
        { '/metadata/labels': { '/k': 'v' } },
        ['metadata.labels: Invalid value: "/k": prefix part must be non-empty'],
      ],
    ],
    changed: [{ '/spec/parameters/kind': 'Not_Valid!' }],
  },
  {
    body: {
      apiVersion: 'networking.orch.io/v1beta1',
      kind: 'IngressClass',
      metadata: { name: 'ic-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        controller: 'example.com/ingress',
        parameters: { apiGroup: 'example.com', kind: 'Params', name: 'p' },
      },
    },
    refused: [
      [
        { '/spec/controller': ' lead' },
        ['spec.controller: Invalid value: " lead": must be a domain-prefixed path (such as "acme.io/foo")'],
      ],
    ],
    kept: [
      [
        { '/spec/controller': undefined },
        ['spec.controller: Invalid value: "": field is immutable', 'spec.controller: Required value'],
      ],
      [
        { '/spec/controller': ' lead' },
        [
          'spec.controller: Invalid value: " lead": field is immutable',
          'spec.controller: Invalid value: " lead": must be a domain-prefixed path (such as "acme.io/foo")',
        ],
      ],
    ],
  },
];
