import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const serviceAccountWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'sa-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      secrets: [{ name: 's1' }, { kind: 'Secret', namespace: 'n', name: 's2' }],
      imagePullSecrets: [{ name: 'p1' }, { name: 'p2' }],
      automountServiceAccountToken: true,
    },
    accepted: [
      { '/imagePullSecrets': [{ name: 'p1' }, { name: 'p2' }, { name: 'p1' }] },
      { '/secrets/1/namespace': undefined },
      { '/secrets/1/resourceVersion': 'a/b' },
      { '/secrets/1/kind': '-abc' },
      { '/secrets/1/name': 'UpperCase' },
    ],
    refused: [[{ '/metadata/name': 'Upper' }, [`metadata.name: Invalid value: "Upper": ${subdomain1123}`]]],
    changed: [
      { '/secrets/0/resourceVersion': ' lead' },
      { '/imagePullSecrets/1/name': '-abc' },
      { '/secrets/1/kind': 'a'.repeat(300) },
      { '/secrets/0/uid': 'naïve' },
    ],
  },
];
