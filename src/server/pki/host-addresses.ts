import { networkInterfaces } from 'node:os';

/** The host's addresses that others can reach, without loopback and link-local ones, sorted. */
export function hostAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address))
    .map(({ address }) => address)
    .sort();
}
