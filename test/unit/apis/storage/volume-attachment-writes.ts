import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

const inlinePath = 'spec.source.inlineVolumeSpec';
const notInline = 'may not be specified in the context of inline volumes';
const csi = { driver: 'csi.example.com', volumeHandle: 'v' };

/** What new and changed objects of this kind may say. */
export const volumeAttachmentWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'storage.orch.io/v1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va-v1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: { attacher: 'csi.example.com', source: { persistentVolumeName: 'pv' }, nodeName: 'n1' },
    },
    statusKept: [
      [
        { '/status': { attached: true, detachError: { message: 'a'.repeat(1025) } } },
        [
          'status.detachError.message: Too long: must have at most 262144 bytes',
          'status.detachError.message: Too long: must have at most 262144 bytes',
        ],
      ],
    ],
    accepted: [
      {
        '/spec/source': {
          inlineVolumeSpec: {
            accessModes: ['ReadWriteOnce'],
            csi,
            capacity: {},
            persistentVolumeReclaimPolicy: 'Retain',
            volumeMode: 'Filesystem',
          },
        },
      },
    ],
    refused: [
      [
        {
          '/spec/source': {
            inlineVolumeSpec: {
              claimRef: { name: 'c' },
              capacity: { storage: '1' },
              accessModes: ['ReadWriteOnce'],
              csi,
              persistentVolumeReclaimPolicy: 'Delete',
              nodeAffinity: { required: { nodeSelectorTerms: [] } },
              storageClassName: 'a_b',
              volumeMode: 'Block',
            },
          },
        },
        [
          `${inlinePath}.claimRef: Forbidden: ${notInline}`,
          `${inlinePath}.capacity: Forbidden: ${notInline}`,
          `${inlinePath}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
          `${inlinePath}.nodeAffinity: Forbidden: ${notInline}`,
          `${inlinePath}.storageClassName: Forbidden: ${notInline}`,
          `${inlinePath}.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes`,
        ],
      ],
      [
        {
          '/spec/source': {
            inlineVolumeSpec: {
              accessModes: ['ReadWriteOnce'],
              hostPath: { path: '/' },
              persistentVolumeReclaimPolicy: 'Recycle',
            },
          },
        },
        [
          `${inlinePath}.csi: Required value: has to be specified in the context of inline volumes`,
          `${inlinePath}.persistentVolumeReclaimPolicy: Forbidden: may only be Retain in the context of inline volumes`,
          `${inlinePath}.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'`,
        ],
      ],
      [
        { '/spec': undefined },
        [
          'spec.attacher: Required value',
          'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
          `spec.nodeName: Invalid value: "": ${subdomain1123}`,
          'spec.attacher: Required value',
          `spec.attacher: Invalid value: "": ${subdomain1123}`,
        ],
      ],
      [{ '/metadata/name': 'Not_Valid!' }, [`metadata.name: Invalid value: "Not_Valid!": ${subdomain1123}`]],
      [
        { '/metadata/annotations': { ['a'.repeat(64)]: 'sample' } },
        [
          `metadata.annotations: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 characters`,
        ],
      ],
      [{ '/spec/nodeName': 'naïve' }, [`spec.nodeName: Invalid value: "naïve": ${subdomain1123}`]],
      [
        { '/spec/source/persistentVolumeName': 'a'.repeat(300) },
        [
          `spec.source.persistentVolumeName: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`,
        ],
      ],
      [
        { '/metadata/name': ' lead', '/spec/nodeName': '-abc' },
        [
          `metadata.name: Invalid value: " lead": ${subdomain1123}`,
          `spec.nodeName: Invalid value: "-abc": ${subdomain1123}`,
        ],
      ],
      [
        { '/spec/source/persistentVolumeName': 'a'.repeat(300), '/metadata/generateName': 'a/b' },
        [
          `metadata.generateName: Invalid value: "a/b": ${subdomain1123}`,
          `spec.source.persistentVolumeName: Invalid value: "${'a'.repeat(300)}": must be no more than 253 characters`,
        ],
      ],
    ],
  },
  {
    body: {
      apiVersion: 'storage.orch.io/v1beta1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va-v1beta1', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: { attacher: 'csi.example.com', source: { persistentVolumeName: 'pv' }, nodeName: 'n1' },
    },
    accepted: [
      { '/metadata/name': '1a' },
      { '/spec/attacher': 'A_b', '/status': { attached: true, attachmentMetadata: { '': 'sample' } } },
    ],
    refused: [
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
    ],
    kept: [
      [{ '/spec/source/persistentVolumeName': ' lead' }, ['spec: Invalid value: <any>: field is immutable']],
    ],
  },
  {
    body: {
      apiVersion: 'storage.orch.io/v1alpha1',
      kind: 'VolumeAttachment',
      metadata: { name: 'va-v1alpha1' },
      spec: { attacher: 'csi.example.com', source: { persistentVolumeName: 'pv' }, nodeName: 'n1' },
    },
    accepted: [{ '/status': { attached: true, attachError: { message: 'a'.repeat(1025) } } }],
    refused: [[{ '/spec/attacher': 'A_b' }, [`spec.attacher: Invalid value: "A_b": ${subdomain1123}`]]],
  },
];
