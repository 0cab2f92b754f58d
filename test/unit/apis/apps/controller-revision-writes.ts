import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const controllerRevisionWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {
        name: 'cr-a',
        labels: { app: 'web' },
        annotations: { note: 'one' },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u1', controller: true },
        ],
      },
      data: { spec: { template: { x: 1, limits: { memory: '1Ki' } } } },
      revision: 3,
    },
    refused: [
      [
        { '/metadata/generation': -1 },
        ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
      ],
    ],
    kept: [
      [
        { '/data': { b: 1 } },
        [
          'data: Invalid value: runtime.Unknown{TypeMeta:runtime.TypeMeta{APIVersion:"", Kind:""}, Raw:[]uint8{0x7b, 0x22, 0x62, 0x22, 0x3a, 0x31, 0x7d}, ContentEncoding:"", ContentType:"application/json"}: field is immutable',
        ],
      ],
      // Members in another order are another text.
      [
        { '/data/spec/template': { limits: { memory: '1Ki' }, x: 1 } },
        ['data: Invalid value: <any>: field is immutable'],
      ],
      [{ '/data/spec/template/limits/memory': '1024' }, ['data: Invalid value: <any>: field is immutable']],
      [
        { '/data': null, '/revision': -1 },
        [
          'data: Required value: data is mandatory',
          'revision: Invalid value: -1: must be greater than or equal to 0',
          'data: Invalid value: <any>: field is immutable',
        ],
      ],
    ],
    changed: [{ '/revision': 70000 }, { '/revision': undefined }],
  },
];
