import { qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const persistentVolumeClaimWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'pvc-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        accessModes: ['ReadWriteOnce'],
        selector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        resources: { requests: { storage: '5Gi' }, limits: { storage: '10Gi' } },
        volumeName: 'vol',
        storageClassName: 'fast',
        volumeMode: 'Filesystem',
        dataSource: { apiGroup: 'snapshot.storage.orch.io', kind: 'VolumeSnapshot', name: 'snap' },
      },
    },
    status: {
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '5Gi' },
      conditions: [
        {
          type: 'Resizing',
          status: 'True',
          lastTransitionTime: '2020-01-01T00:00:00Z',
          reason: 'Because',
          message: 'all good',
          lastProbeTime: '2020-01-01T00:00:00Z',
        },
      ],
    },
    accepted: [
      { '/spec/resources/limits': { 'orch.io/y': '1' } },
      { '/spec/dataSource/kind': '../x' },
      { '/metadata/name': 'a'.repeat(64) },
      { '/spec/dataSource': {} },
      { '/spec/selector/matchExpressions': [] },
      { '/spec/resources/limits': { cpu: '-1' } },
      { '/spec/volumeMode': undefined },
      { '/spec/selector/matchExpressions/0/values/1': '../x' },
    ],
    refused: [
      [
        { '/spec/accessModes': undefined },
        ['spec.accessModes: Required value: at least 1 access mode is required'],
      ],
      [
        { '/metadata/name': '-abc', '/metadata/annotations': { '': 'sample' } },
        [
          `metadata.name: Invalid value: "-abc": ${subdomain1123}`,
          'metadata.annotations: Invalid value: "": name part must be non-empty',
          `metadata.annotations: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
    ],
    kept: [
      [
        { '/spec/selector/matchExpressions/0/key': 'a/b' },
        [
          'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims\n<any>',
        ],
      ],
      [
        { '/spec/volumeMode': '-abc' },
        [
          'spec.volumeMode: Unsupported value: "-abc": supported values: "Block", "Filesystem"',
          'spec.volumeMode: Unsupported value: "-abc": supported values: "Block", "Filesystem"',
          'spec: Forbidden: spec is immutable after creation except resources.requests for bound claims\n<any>',
          'volumeMode: Invalid value: "-abc": field is immutable',
        ],
      ],
    ],
    statusChanged: [
      { '/status/conditions/0/lastTransitionTime': '2020-02-03T04:05:06+02:00' },
      { '/status/accessModes/0': 'readwriteonce' },
      { '/status/accessModes': ['ReadWriteOnce', 'ReadWriteOnce'] },
      { '/status/conditions': [] },
      { '/status/conditions/0/message': 'naïve' },
    ],
  },
];
