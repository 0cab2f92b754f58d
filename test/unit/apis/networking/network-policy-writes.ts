import { labelValue, qualifiedPart } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const networkPolicyWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'networking.orch.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'np-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      spec: {
        podSelector: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
        },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              { podSelector: { matchLabels: { a: 'b' } } },
              {
                namespaceSelector: {
                  matchLabels: { app: 'web' },
                  matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
                },
                podSelector: {},
              },
              { ipBlock: { cidr: '10.1.0.0/16', except: ['10.1.2.0/24'] } },
            ],
            ports: [{ protocol: 'TCP', port: 80 }, { port: 'http' }],
          },
        ],
        egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ protocol: 'UDP', port: 53 }] }],
      },
    },
    accepted: [
      { '/spec/ingress/0/from': [] },
      { '/spec/ingress/0/ports': undefined },
      { '/metadata/name': 'a'.repeat(253) },
      { '/spec/ingress/0/from/1/namespaceSelector/matchExpressions': [] },
      { '/spec/ingress/0/from/1/namespaceSelector': undefined },
      { '/spec/ingress/0/from/1/namespaceSelector/matchExpressions/0/values/0': 'a/b' },
      { '/spec/podSelector/matchExpressions/0/values/0': '../x' },
      { '/spec/ingress/0/from/1/namespaceSelector/matchExpressions/0/values/1': ' lead' },
      { '/metadata/name': '1a' },
    ],
    refused: [
      [
        { '/spec/egress/0/to/0/namespaceSelector': {} },
        ['spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer'],
      ],
      [
        { '/spec/ingress/0/from/2/ipBlock/cidr': '127.0.0.1' },
        ['spec.ingress[0].from[2].ipBlock.cidr: Invalid value: "127.0.0.1": not a valid CIDR'],
      ],
      [
        { '/spec/ingress/0/from/1/ipBlock': { noSuchField: { a: [1] } } },
        [
          'spec.ingress[0].from[1].ipBlock.cidr: Required value',
          'spec.ingress[0].from[1]: Forbidden: may not specify both ipBlock and another peer',
        ],
      ],
      [
        { '/spec/ingress/0/from/2/ipBlock/except/0': null },
        ['spec.ingress[0].from[2].ipBlock.except[0]: Invalid value: "": not a valid CIDR'],
      ],
      [
        { '/spec/egress/0/ports/0/protocol': '../x' },
        [
          'spec.egress[0].ports[0].protocol: Unsupported value: "../x": supported values: "TCP", "UDP", "SCTP"',
        ],
      ],
      [
        { '/spec/ingress/0/from/1/namespaceSelector/matchExpressions/0/key': '-abc' },
        [
          `spec.ingress[0].from[1].namespaceSelector.matchExpressions[0].key: Invalid value: "-abc": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/ingress/0/from/0/podSelector/matchExpressions': [{}] },
        [
          'spec.ingress[0].from[0].podSelector.matchExpressions[0].operator: Invalid value: "": not a valid selector operator',
          'spec.ingress[0].from[0].podSelector.matchExpressions[0].key: Invalid value: "": name part must be non-empty',
          `spec.ingress[0].from[0].podSelector.matchExpressions[0].key: Invalid value: "": ${qualifiedPart}`,
        ],
      ],
      [
        { '/spec/ingress/0/ports/1/port': 70000 },
        ['spec.ingress[0].ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive'],
      ],
      [
        { '/spec/podSelector/matchExpressions/0/values': null },
        [
          "spec.podSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ],
      ],
      [
        { '/spec/ingress/0/from/1/namespaceSelector/matchExpressions/0/values': undefined },
        [
          "spec.ingress[0].from[1].namespaceSelector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
        ],
      ],
      [
        { '/spec/ingress/0/from/2/ipBlock/except/0': 'Not_Valid!', '/spec/policyTypes/0': '-abc' },
        [
          'spec.ingress[0].from[2].ipBlock.except[0]: Invalid value: "Not_Valid!": not a valid CIDR',
          'spec.policyTypes[0]: Unsupported value: "-abc": supported values: "Ingress", "Egress"',
        ],
      ],
      [
        {
          '/spec/policyTypes/1': 'UpperCase',
          '/spec/ingress/0/ports/1/port': 2147483647,
          '/metadata/labels': { 'a/b/c': 'v' },
        },
        [
          "metadata.labels: Invalid value: \"a/b/c\": a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
          'spec.ingress[0].ports[1].port: Invalid value: 2147483647: must be between 1 and 65535, inclusive',
          'spec.policyTypes[1]: Unsupported value: "UpperCase": supported values: "Ingress", "Egress"',
        ],
      ],
      [
        { '/spec/ingress/0/from/1/podSelector/matchLabels': { k: 'a'.repeat(70) } },
        [
          `spec.ingress[0].from[1].podSelector.matchLabels: Invalid value: "${'a'.repeat(70)}": must be no more than 63 characters`,
        ],
      ],
    ],
    changed: [
      { '/spec/ingress/0/from/1/podSelector': {} },
      {
        '/spec/ingress/0/from': [
          { podSelector: { matchLabels: { a: 'b' } } },
          {
            namespaceSelector: {
              matchLabels: { app: 'web' },
              matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
            },
            podSelector: {},
          },
          { ipBlock: { cidr: '10.1.0.0/16', except: ['10.1.2.0/24'] } },
          { podSelector: { matchLabels: { a: 'b' } } },
        ],
      },
    ],
    kept: [
      [
        { '/metadata/labels': { k: 'a b' }, '/spec/egress/0/ports/0/port': 0 },
        [
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'spec.egress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
          `metadata.labels: Invalid value: "a b": ${labelValue}`,
          'spec.egress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/spec/egress/0/ports/0/port': 0 },
        [
          'spec.egress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
          'spec.egress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/spec/ingress/0/ports/1/port': 70000 },
        [
          'spec.ingress[0].ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
          'spec.ingress[0].ports[1].port: Invalid value: 70000: must be between 1 and 65535, inclusive',
        ],
      ],
      [
        { '/spec/policyTypes/1': 'changed' },
        [
          'spec.policyTypes[1]: Unsupported value: "changed": supported values: "Ingress", "Egress"',
          'spec.policyTypes[1]: Unsupported value: "changed": supported values: "Ingress", "Egress"',
        ],
      ],
    ],
  },
];
