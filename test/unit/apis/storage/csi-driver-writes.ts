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
