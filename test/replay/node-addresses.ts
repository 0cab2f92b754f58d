import { networkInterfaces } from 'node:os';

/** Addresses of the machine that agents can be told to report: not loopback, not link-local. */
export function machineAddresses(): { readonly ip4: string | undefined; readonly ip6: string | undefined } {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outward = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const first = (family: 'IPv4' | 'IPv6'): string | undefined =>
    outward.find((each) => each.family === family)?.address;
  return { ip4: first('IPv4'), ip6: first('IPv6') };
}
