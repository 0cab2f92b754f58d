import { label1123, subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const endpointsWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'ep-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      subsets: [
        {
          addresses: [
            {
              ip: '10.1.1.2',
              hostname: 'h2',
              nodeName: 'n1',
              targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'u' },
            },
            { ip: '10.1.1.1' },
          ],
          notReadyAddresses: [{ ip: '10.1.1.3' }],
          ports: [
            { name: 'http', port: 80, protocol: 'TCP' },
            { name: 'dns', port: 53, protocol: 'UDP', appProtocol: 'example.com/dns' },
          ],
        },
      ],
    },
    accepted: [
      { '/subsets/0/addresses/0/targetRef/fieldPath': 'a'.repeat(300) },
      { '/subsets/0/addresses/0/targetRef/name': 'naïve' },
      {
        '/subsets/0/addresses': [
          {
            ip: '10.1.1.2',
            hostname: 'h2',
            nodeName: 'n1',
            targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'u' },
          },
          { ip: '10.1.1.1' },
          {
            ip: '10.1.1.2',
            hostname: 'h2',
            nodeName: 'n1',
            targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'u' },
          },
        ],
      },
    ],
    refused: [
      [
        { '/subsets/0/addresses/0/nodeName': '../x' },
        [`subsets[0].addresses[0].nodeName: Invalid value: "../x": ${subdomain1123}`],
      ],
      [
        { '/subsets/0/ports/1/protocol': 'Bogus' },
        ['subsets[0].ports[1].protocol: Unsupported value: "Bogus": supported values: "SCTP", "TCP", "UDP"'],
      ],
      [
        { '/subsets/0/ports/1/name': 'Not_Valid!' },
        [`subsets[0].ports[1].name: Invalid value: "Not_Valid!": ${label1123}`],
      ],
      [
        { '/subsets/0/ports/0/name': 'a'.repeat(253) },
        [`subsets[0].ports[0].name: Invalid value: "${'a'.repeat(253)}": must be no more than 63 characters`],
      ],
      [
        { '/subsets/0/notReadyAddresses': [{ ip: '10.1.1.3' }, {}] },
        [
          'subsets[0].notReadyAddresses[1].ip: Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          'subsets[0].notReadyAddresses[1].ip: Invalid value: "": must be a valid IP address',
        ],
      ],
      [
        { '/subsets/0/addresses/1/hostname': '-abc' },
        [`subsets[0].addresses[1].hostname: Invalid value: "-abc": ${label1123}`],
      ],
      [
        { '/metadata/name': 'a'.repeat(254) },
        [`metadata.name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`],
      ],
      [
        { '/subsets/0/ports/1/name': 'a/b', '/subsets/0/ports/0/name': 'a/b' },
        [
          `subsets[0].ports[0].name: Invalid value: "a/b": ${label1123}`,
          `subsets[0].ports[1].name: Invalid value: "a/b": ${label1123}`,
        ],
      ],
    ],
    changed: [
      { '/subsets/0/notReadyAddresses/0/hostname': 'sample' },
      { '/subsets/0/addresses/0/targetRef/kind': '-abc' },
      { '/subsets/0/addresses/0/targetRef/fieldPath': 'a'.repeat(300) },
      { '/subsets/0/addresses/0/targetRef/namespace': 'Not_Valid!' },
    ],
    kept: [
      [
        { '/subsets/0/ports/1/protocol': 'a/b' },
        ['subsets[0].ports[1].protocol: Unsupported value: "a/b": supported values: "SCTP", "TCP", "UDP"'],
      ],
      [
        { '/subsets/0/ports/0/name': 'naïve' },
        [`subsets[0].ports[0].name: Invalid value: "naïve": ${label1123}`],
      ],
      [
        { '/subsets/0/addresses/0/ip': 'a/b' },
        [
          'subsets[0].addresses[0].ip: Invalid value: "a/b": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
          'subsets[0].addresses[0].ip: Invalid value: "a/b": must be a valid IP address',
        ],
      ],
    ],
  },
];
