import { qualifiedPart } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const namespaceWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'ns-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: { finalizers: ['orch', 'example.com/x'] },
    },
    refused: [
      [
        { '/metadata/annotations': { '': 'sample' } },
        [
          'metadata.annotations: Invalid value: "": name part must be non-empty',
          `metadata.annotations: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
    ],
  },
];
