import type { RoutedAddressInputs } from '../../src/net/addresses/index.ts';

/** A machine with two networks, the second of which leads to all others by both families. */
export const routedMachine: RoutedAddressInputs = {
  interfaces: [
    { interfaceName: 'lo', address: '127.0.0.1' },
    { interfaceName: 'lo', address: '::1' },
    { interfaceName: 'br-1', address: '10.88.0.1' },
    { interfaceName: 'br-1', address: 'fd01::1' },
    { interfaceName: 'eth0', address: '169.254.7.7' },
    { interfaceName: 'eth0', address: '192.0.2.2' },
    { interfaceName: 'eth0', address: 'fe80::1' },
    { interfaceName: 'eth0', address: 'fd00::2' },
  ],
  routes: [
    { interfaceName: 'eth0', family: 'IPv4' },
    { interfaceName: 'eth0', family: 'IPv6' },
  ],
};

/** Its routes, but for those of one family. */
export const routesWithout = (family: 'IPv4' | 'IPv6'): RoutedAddressInputs['routes'] =>
  routedMachine.routes.filter((route) => route.family !== family);
