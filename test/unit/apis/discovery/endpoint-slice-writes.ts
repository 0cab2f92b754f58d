import { subdomain1123 } from '../core-pod/wording.ts';
import type { WriteCases } from '../write-cases.ts';

/** What new and changed objects of this kind may say. */
export const endpointSliceWrites: readonly WriteCases[] = [
  {
    body: {
      apiVersion: 'discovery.orch.io/v1beta1',
      kind: 'EndpointSlice',
      metadata: { name: 'eps-a', labels: { app: 'web' }, annotations: { note: 'one' } },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.1.1.1', '10.1.1.2'],
          conditions: { ready: true, serving: true, terminating: false },
          hostname: 'h1',
          targetRef: { kind: 'Pod', name: 'p' },
          topology: { 'orch.io/hostname': 'n1' },
          nodeName: 'n1',
        },
      ],
      ports: [{ name: 'http', protocol: 'TCP', port: 80, appProtocol: 'http' }],
    },
    accepted: [
      { '/endpoints/0/targetRef/apiVersion': 'a'.repeat(300) },
      { '/ports/0/name': '' },
      {
        '/endpoints/0/conditions': {
          ready: true,
          serving: true,
          terminating: false,
          noSuchField: { a: [1] },
        },
      },
      { '/endpoints/0/targetRef/resourceVersion': 'naïve' },
      { '/endpoints/0/targetRef/namespace': 'a'.repeat(300) },
      { '/metadata/name': '1a' },
      { '/endpoints/0/addresses/0': '127.0.0.1' },
    ],
    refused: [
      [
        { '/endpoints/0/addresses/0': 'a' },
        ['endpoints[0].addresses[0]: Invalid value: "a": must be a valid IPv4 address'],
      ],
      [{ '/metadata/name': ' lead' }, [`metadata.name: Invalid value: " lead": ${subdomain1123}`]],
      [
        { '/addressType': '0.0.0.0' },
        ['addressType: Unsupported value: "0.0.0.0": supported values: "FQDN", "IPv4", "IPv6"'],
      ],
    ],
    changed: [{ '/endpoints/0/targetRef/apiVersion': '' }, { '/ports/0/port': 70000 }],
    kept: [
      [
        { '/ports/0/protocol': 'Bogus' },
        ['ports[0].protocol: Unsupported value: "Bogus": supported values: "SCTP", "TCP", "UDP"'],
      ],
    ],
  },
];
