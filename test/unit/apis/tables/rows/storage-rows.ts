import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const storageRows: readonly RowCase[] = [
  [
    'storage.orch.io/v1.CSIDriver',
    'csidrivers',
    { spec: { podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] } },
    ['a', true, true, 'Persistent,Ephemeral', '30s'],
  ],
  [
    'storage.orch.io/v1.CSIDriver',
    'csidrivers',
    { spec: { volumeLifecycleModes: ['Ephemeral'] } },
    ['a', true, false, 'Ephemeral', '30s'],
  ],
  [
    'storage.orch.io/v1.CSIDriver',
    'csidrivers',
    { spec: { attachRequired: false, volumeLifecycleModes: ['Persistent', 'Ephemeral'] } },
    ['a', false, false, 'Persistent,Ephemeral', '30s'],
  ],
  [
    'storage.orch.io/v1beta1.CSIDriver',
    'csidrivers',
    { spec: { podInfoOnMount: true, volumeLifecycleModes: ['Persistent', 'Ephemeral'] } },
    ['a', true, true, 'Persistent,Ephemeral', '30s'],
  ],
  [
    'storage.orch.io/v1beta1.CSIDriver',
    'csidrivers',
    { spec: { volumeLifecycleModes: ['Persistent'] } },
    ['a', true, false, 'Persistent', '30s'],
  ],
  [
    'storage.orch.io/v1beta1.CSIDriver',
    'csidrivers',
    {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
      },
    },
    ['a', false, true, 'Persistent,Ephemeral', '30s'],
  ],
  ['storage.orch.io/v1.CSINode', 'csinodes', { spec: { drivers: [{}] } }, ['a', 1, '30s']],
  ['storage.orch.io/v1.CSINode', 'csinodes', {}, ['a', 0, '30s']],
  ['storage.orch.io/v1beta1.CSINode', 'csinodes', {}, ['a', 0, '30s']],
  [
    'storage.orch.io/v1.StorageClass',
    'storageclasses',
    { provisioner: 'example.com/prov', reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' },
    ['a', 'example.com/prov', 'Retain', 'WaitForFirstConsumer', false, '30s'],
  ],
  [
    'storage.orch.io/v1.StorageClass',
    'storageclasses',
    { provisioner: 'example.com/prov', volumeBindingMode: 'WaitForFirstConsumer' },
    ['a', 'example.com/prov', 'Delete', 'WaitForFirstConsumer', false, '30s'],
  ],
  [
    'storage.orch.io/v1.StorageClass',
    'storageclasses',
    {
      provisioner: 'example.com/prov',
      reclaimPolicy: 'Retain',
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
    },
    ['a', 'example.com/prov', 'Retain', 'WaitForFirstConsumer', true, '30s'],
  ],
  [
    'storage.orch.io/v1beta1.StorageClass',
    'storageclasses',
    { provisioner: 'example.com/prov', allowVolumeExpansion: true },
    ['a', 'example.com/prov', 'Delete', 'Immediate', true, '30s'],
  ],
  [
    'storage.orch.io/v1.VolumeAttachment',
    'volumeattachments',
    { spec: { attacher: 'csi.example.com', source: { persistentVolumeName: 'pv' }, nodeName: 'n1' } },
    ['a', 'csi.example.com', 'pv', 'n1', false, '30s'],
  ],
];
