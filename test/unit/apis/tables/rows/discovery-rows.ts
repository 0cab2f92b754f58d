import type { RowCase } from './row-cases.ts';

/** Objects of the group in short, and what they look like in a table. */
export const discoveryRows: readonly RowCase[] = [
  [
    'discovery.orch.io/v1beta1.EndpointSlice',
    'endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1', '10.1.1.2'] }] },
    ['a', 'IPv4', '<unset>', '10.1.1.1,10.1.1.2', '30s'],
  ],
  [
    'discovery.orch.io/v1beta1.EndpointSlice',
    'endpointslices',
    { addressType: 'IPv4', endpoints: [{ addresses: ['10.1.1.1', '10.1.1.2'] }], ports: [{ port: 80 }] },
    ['a', 'IPv4', '80', '10.1.1.1,10.1.1.2', '30s'],
  ],
  [
    'discovery.orch.io/v1beta1.EndpointSlice',
    'endpointslices',
    { addressType: 'IPv4' },
    ['a', 'IPv4', '<unset>', '<unset>', '30s'],
  ],
  [
    'discovery.orch.io/v1beta1.EndpointSlice',
    'endpointslices',
    { addressType: 'IPv4', ports: [{ port: 80 }] },
    ['a', 'IPv4', '80', '<unset>', '30s'],
  ],
  [
    'discovery.orch.io/v1beta1.EndpointSlice',
    'endpointslices',
    {
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.1.1', '10.1.1.2', '10.1.1.1'] }],
      ports: [{ port: 80 }],
    },
    ['a', 'IPv4', '80', '10.1.1.1,10.1.1.2,10.1.1.1', '30s'],
  ],
];
