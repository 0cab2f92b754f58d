import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const storageDefaults: readonly DefaultCase[] = [
  [
    { apiVersion: 'storage.orch.io/v1', kind: 'CSIDriver', metadata: { name: 'a' } },
    {
      '/spec': {
        attachRequired: true,
        podInfoOnMount: false,
        volumeLifecycleModes: ['Persistent'],
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
    },
  ],
  [
    { apiVersion: 'storage.orch.io/v1beta1', kind: 'CSIDriver', metadata: { name: 'a' } },
    {
      '/spec': {
        attachRequired: true,
        podInfoOnMount: false,
        volumeLifecycleModes: ['Persistent'],
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
    },
  ],
  [
    { apiVersion: 'storage.orch.io/v1', kind: 'CSIDriver', metadata: { name: 'a' }, spec: {} },
    {
      '/spec/attachRequired': true,
      '/spec/podInfoOnMount': false,
      '/spec/volumeLifecycleModes': ['Persistent'],
      '/spec/fsGroupPolicy': 'ReadWriteOnceWithFSType',
    },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'CSIDriver',
      metadata: { name: 'a' },
      spec: { storageCapacity: true, tokenRequests: [] },
    },
    {
      '/spec/storageCapacity': undefined,
      '/spec/tokenRequests': undefined,
      '/spec/attachRequired': true,
      '/spec/podInfoOnMount': false,
      '/spec/volumeLifecycleModes': ['Persistent'],
      '/spec/fsGroupPolicy': 'ReadWriteOnceWithFSType',
    },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1',
      kind: 'CSIDriver',
      metadata: { name: 'a' },
      spec: { storageCapacity: true, tokenRequests: [], requiresRepublish: true },
    },
    {
      '/spec/storageCapacity': undefined,
      '/spec/tokenRequests': undefined,
      '/spec/requiresRepublish': undefined,
      '/spec/attachRequired': true,
      '/spec/podInfoOnMount': false,
      '/spec/volumeLifecycleModes': ['Persistent'],
      '/spec/fsGroupPolicy': 'ReadWriteOnceWithFSType',
    },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'CSIDriver',
      metadata: { name: 'a' },
      spec: { requiresRepublish: true },
    },
    {
      '/spec/requiresRepublish': undefined,
      '/spec/attachRequired': true,
      '/spec/podInfoOnMount': false,
      '/spec/volumeLifecycleModes': ['Persistent'],
      '/spec/fsGroupPolicy': 'ReadWriteOnceWithFSType',
    },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'CSIDriver',
      metadata: { name: 'a' },
      spec: { noSuchField: {} },
    },
    {
      '/spec/noSuchField': undefined,
      '/spec/attachRequired': true,
      '/spec/podInfoOnMount': false,
      '/spec/volumeLifecycleModes': ['Persistent'],
      '/spec/fsGroupPolicy': 'ReadWriteOnceWithFSType',
    },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1',
      kind: 'CSINode',
      metadata: { name: 'a' },
      spec: { drivers: [{ name: 'csi.example.com', nodeID: 'id' }] },
    },
    { '/spec/drivers/0/topologyKeys': null },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'CSINode',
      metadata: { name: 'a' },
      spec: { drivers: [{ name: 'csi.example.com', nodeID: 'id' }] },
    },
    { '/spec/drivers/0/topologyKeys': null },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner: 'example.com/prov',
    },
    { '/reclaimPolicy': 'Delete', '/volumeBindingMode': 'Immediate' },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner: 'example.com/prov',
    },
    { '/reclaimPolicy': 'Delete', '/volumeBindingMode': 'Immediate' },
  ],
  [
    {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'StorageClass',
      metadata: { name: 'a' },
      provisioner: 'example.com/prov',
      mountOptions: [],
    },
    { '/mountOptions': undefined, '/reclaimPolicy': 'Delete', '/volumeBindingMode': 'Immediate' },
  ],
];
