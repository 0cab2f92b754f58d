import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const apiServiceWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apiregistration.orch.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1.gd.example.com', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        service: { namespace: 'default', name: 'nosuch', port: 443 },
        group: 'gd.example.com',
        version: 'v1',
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 10,
      },
    },
    accepted: [
      { '/spec/service/name': 'naïve' },
      {
        '/spec': {
          service: { namespace: 'default', name: 'nosuch', port: 443 },
          group: 'gd.example.com',
          version: 'v1',
          insecureSkipTLSVerify: true,
          groupPriorityMinimum: 100,
          versionPriority: 10,
          noSuchField: { a: [1] },
        },
      },
    ],
    refused: [
      [
        { '/metadata/name': 'odd', '/metadata/annotations': { '/k': 'v' } },
        [
          'metadata.name: Invalid value: "odd": must be `spec.version+"."+spec.group`: "v1.gd.example.com"',
          'metadata.annotations: Invalid value: "/k": prefix part must be non-empty',
        ],
      ],
      [
        { '/metadata/generateName': 'Not_Valid!' },
        [
          'metadata.generateName: Invalid value: "Not_Valid!": must be `spec.version+"."+spec.group`: "v1.gd.example.com"',
        ],
      ],
      [
        { '/metadata/name': 'a'.repeat(253) },
        [
          `metadata.name: Invalid value: "${'a'.repeat(253)}": must be \`spec.version+"."+spec.group\`: "v1.gd.example.com"`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'apiregistration.orch.io/v1beta1',
      kind: 'APIService',
      metadata: { name: 'v1.gd.example.com', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        service: { namespace: 'default', name: 'nosuch', port: 443 },
        group: 'gd.example.com',
        version: 'v1',
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 10,
      },
    },
    accepted: [{ '/spec/service/port': undefined }],
    refused: [[{ '/spec/service/name': undefined }, ['spec.service.name: Required value']]],
  },
];
