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
    accepted: [
      { '/spec/drivers/0/topologyKeys/0': undefined },
      { '/metadata/name': 'a'.repeat(64) },
      { '/metadata/name': 'a'.repeat(64) },
    ],
  },
];
