import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { DefaultRoute } from './default-routes.ts';

/** An address of an interface of the machine. */
export interface InterfaceAddress {
  readonly interfaceName: string;
  readonly address: string;
}

/** What a machine's address is chosen from, each list in the order of the kernel. */
export interface RoutedAddressInputs {
  readonly routes: readonly DefaultRoute[];
  readonly interfaces: readonly InterfaceAddress[];
}

/** All addresses of interfaces that are up, loopback included. */
export function listInterfaceAddresses(): InterfaceAddress[] {
  return Object.entries(networkInterfaces()).flatMap(([interfaceName, addresses = []]) =>
    addresses.map(({ address }) => ({ interfaceName, address })),
  );
}

/**
 * The first address, of those that others can reach, of the first interface with a default route; of the other family
 * where the wanted one has no such route. Undefined without one. Source: release 1.20, `pkg/util/net/interface.go`.
 */
export function routedAddress(
  { routes, interfaces }: RoutedAddressInputs,
  wanted: DefaultRoute['family'],
): string | undefined {
  const ordered = [
    ...routes.filter(({ family }) => family === wanted),
    ...routes.filter(({ family }) => family !== wanted),
  ];
  for (const { interfaceName, family } of ordered) {
    const found = interfaces.find(
      (one) =>
        one.interfaceName === interfaceName &&
        (isIP(one.address) === 6) === (family === 'IPv6') &&
        isGlobalAddress(one.address),
    );
    if (found !== undefined) return found.address;
  }
  return undefined;
}

/** Whether machines beyond the next link can reach an address: a global or private unicast one. */
export function isGlobalAddress(address: string): boolean {
  return ![isLoopback, isMulticast, isLinkLocal, isWildcard].some((test) => test(address));
}

/** Whether an address means this machine only. */
export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

/** Whether an address is valid on one link only. */
export function isLinkLocal(address: string): boolean {
  return address.startsWith('169.254.') || /^fe[89ab][0-9a-f]:/i.test(address);
}

/** Whether an address means a group of machines. */
export function isMulticast(address: string): boolean {
  const first = Number(address.split('.')[0]);
  return isIP(address) === 6 ? /^ff/i.test(address) : first >= 224 && first <= 239;
}

/** Whether an address means all interfaces. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}
