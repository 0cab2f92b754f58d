import type { DefaultCase } from './default-cases.ts';

/** Objects of the group as they are sent, and what is set in them. */
export const discoveryDefaults: readonly DefaultCase[] = [
  [
    {
      apiVersion: 'discovery.orch.io/v1beta1',
      kind: 'EndpointSlice',
      metadata: { name: 'a' },
      addressType: 'IPv4',
    },
    { '/endpoints': null, '/ports': null },
  ],
  [
    {
      apiVersion: 'discovery.orch.io/v1beta1',
      kind: 'EndpointSlice',
      metadata: { name: 'a' },
      addressType: 'IPv4',
      ports: [{}],
    },
    { '/ports/0/name': '', '/ports/0/protocol': 'TCP', '/endpoints': null },
  ],
  [
    {
      apiVersion: 'discovery.orch.io/v1beta1',
      kind: 'EndpointSlice',
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.1.1.1'], conditions: { serving: true, terminating: false }, nodeName: 'n1' },
      ],
    },
    {
      '/endpoints/0/conditions/serving': undefined,
      '/endpoints/0/conditions/terminating': undefined,
      '/endpoints/0/nodeName': undefined,
      '/ports': null,
    },
  ],
  [
    {
      apiVersion: 'discovery.orch.io/v1beta1',
      kind: 'EndpointSlice',
      metadata: { name: 'a' },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.1.1'], conditions: { noSuchField: {} } }],
    },
    { '/endpoints/0/conditions/noSuchField': undefined, '/ports': null },
  ],
];
