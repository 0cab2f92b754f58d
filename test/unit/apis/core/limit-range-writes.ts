import { qualifiedPart, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const limitRangeWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'lr-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2', memory: '1Gi' },
            min: { cpu: '100m' },
            default: { cpu: '500m' },
            defaultRequest: { cpu: '200m' },
            maxLimitRequestRatio: { cpu: '10' },
          },
          { type: 'Pod', max: { cpu: '4' } },
          { type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '10Gi' } },
        ],
      },
    },
    accepted: [{ '/spec/limits/2/defaultRequest': { memory: 1048576, cpu: 0.25 } }],
    refused: [
      [
        { '/spec/limits/0/max/cpu': '9223372036854775808' },
        [
          'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: <any>: ratio 10 is greater than max/min = 0.000000',
        ],
      ],
      [
        { '/spec/limits/0/defaultRequest': { '': '1500m' } },
        [
          'spec.limits[0].defaultRequest[]: Invalid value: "": name part must be non-empty',
          `spec.limits[0].defaultRequest[]: Invalid value: "": ${qualifiedPart}`,
          'spec.limits[0].defaultRequest[]: Invalid value: "": must be a standard resource for containers',
        ],
      ],
      [
        { '/spec/limits/1/defaultRequest': { 'bad key!': '1500m' } },
        ["spec.limits[1].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'"],
      ],
      [
        { '/spec/limits/1/min': { [`${'a'.repeat(260)}/a`]: '1500m' } },
        [
          `spec.limits[1].min[${'a'.repeat(260)}/a]: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
          `spec.limits[1].min[${'a'.repeat(260)}/a]: Invalid value: "${'a'.repeat(260)}/a": doesn't follow extended resource name standard`,
        ],
      ],
      [
        { '/spec/limits/1/default': { memory: '1.5' } },
        ["spec.limits[1].default: Forbidden: may not be specified when `type` is 'Pod'"],
      ],
      [
        { '/spec/limits/0/min': { k: null } },
        [
          'spec.limits[0].min[k]: Invalid value: "k": must be a standard resource type or fully qualified',
          'spec.limits[0].min[k]: Invalid value: "k": must be a standard resource for containers',
          'spec.limits[0].defaultRequest[k]: Invalid value: "k": must be a standard resource type or fully qualified',
          'spec.limits[0].defaultRequest[k]: Invalid value: "k": must be a standard resource for containers',
        ],
      ],
      [
        { '/spec/limits/1/max': { k: null } },
        [
          'spec.limits[1].max[k]: Invalid value: "k": must be a standard resource type or fully qualified',
          'spec.limits[1].max[k]: Invalid value: "k": must be a standard resource for containers',
        ],
      ],
      [
        { '/spec/limits/2/min': { '': '1500m' } },
        [
          'spec.limits[2].min[]: Invalid value: "": name part must be non-empty',
          `spec.limits[2].min[]: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/limits/0/defaultRequest': { 'bad key!': '1500m' } },
        [
          `spec.limits[0].defaultRequest[bad key!]: Invalid value: "bad key!": ${qualifiedPart}`,
          'spec.limits[0].defaultRequest[bad key!]: Invalid value: "bad key!": must be a standard resource for containers',
        ],
      ],
      [{ '/metadata/name': 'a%b' }, [`metadata.name: Invalid value: "a%b": ${subdomain1123}`]],
      [
        { '/metadata/annotations': { '/k': 'v' } },
        ['metadata.annotations: Invalid value: "/k": prefix part must be non-empty'],
      ],
    ],
    changed: [{ '/spec/limits/1/max': undefined }],
    kept: [
      [{ '/spec/limits/2/type': ' lead' }, [`spec.limits[2].type: Invalid value: " lead": ${qualifiedPart}`]],
    ],
  },
];
