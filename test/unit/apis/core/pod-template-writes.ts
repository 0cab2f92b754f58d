import { label1123, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const podTemplateWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'PodTemplate',
      metadata: { name: 'pt-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      template: {
        metadata: { labels: { app: 'web', tier: 'front' } },
        spec: { containers: [{ name: 'main', image: 'registry.example.com/web:1.2' }] },
      },
    },
    accepted: [
      { '/template/metadata/deletionTimestamp': '2020-02-03T04:05:06.123456789Z' },
      { '/template/metadata/namespace': 'a/b' },
      { '/template/spec/containers/0/imagePullPolicy': '' },
      { '/template/spec/schedulerName': '../x' },
      { '/template/spec/priority': 7 },
    ],
    refused: [
      [
        { '/template/spec/containers/0/livenessProbe': {} },
        ['template.spec.containers[0].livenessProbe: Required value: must specify a handler type'],
      ],
      [
        { '/template/metadata/annotations': { [`${'a'.repeat(260)}/a`]: 'sample' } },
        [
          `template.annotations: Invalid value: "${'a'.repeat(260)}/a": prefix part must be no more than 253 characters`,
        ],
      ],
      [
        { '/template/spec/containers/0/name': 'a'.repeat(253) },
        [
          `template.spec.containers[0].name: Invalid value: "${'a'.repeat(253)}": must be no more than 63 characters`,
        ],
      ],
      [
        { '/template/spec/runtimeClassName': 'Not_Valid!' },
        [`template.spec.runtimeClassName: Invalid value: "Not_Valid!": ${subdomain1123}`],
      ],
      [
        { '/template/spec/preemptionPolicy': 'naïve' },
        [
          'template.spec.preemptionPolicy: Unsupported value: "naïve": supported values: "PreemptLowerPriority", "Never"',
        ],
      ],
      [
        { '/template/spec/containers/0/volumeMounts': [null] },
        [
          'template.spec.containers[0].volumeMounts[0].name: Required value',
          'template.spec.containers[0].volumeMounts[0].name: Not found: ""',
          'template.spec.containers[0].volumeMounts[0].mountPath: Required value',
        ],
      ],
      [
        { '/template/spec/subdomain': 'a/b' },
        [`template.spec.subdomain: Invalid value: "a/b": ${label1123}`],
      ],
      [{ '/metadata/name': 'a.' }, [`metadata.name: Invalid value: "a.": ${subdomain1123}`]],
    ],
    changed: [{ '/template/spec/containers/0/workingDir': 'a/b' }, { '/template/spec/dnsPolicy': 'Default' }],
    kept: [
      [
        { '/template/spec/preemptionPolicy': 'naïve' },
        [
          'template.spec.preemptionPolicy: Unsupported value: "naïve": supported values: "PreemptLowerPriority", "Never"',
        ],
      ],
    ],
  },
];
