import { readFile } from 'node:fs/promises';

/** A default route, and the interface that it leads through. */
export interface DefaultRoute {
  readonly interfaceName: string;
  readonly family: 'IPv4' | 'IPv6';
}

const noAddress = '00000000';
const noAddress6 = '0'.repeat(32);
/** Route that refuses, in `/proc/net/ipv6_route`. */
const rejectFlag = 0x200;

/** Default routes of this machine's (or container's) network; none where the kernel has no such tables. */
export async function readDefaultRoutes(): Promise<DefaultRoute[]> {
  const [four, six] = ['/proc/net/route', '/proc/net/ipv6_route'].map((path) =>
    readFile(path, 'utf8').catch(() => ''),
  );
  return defaultRoutes((await four) ?? '', (await six) ?? '');
}

/** Default routes in the order of the kernel's tables, `/proc/net/route` and `/proc/net/ipv6_route`. */
export function defaultRoutes(route: string, ipv6Route: string): DefaultRoute[] {
  const four = rows(route).flatMap((fields): DefaultRoute[] => {
    const [interfaceName = '', destination, , flags, , , , mask] = fields;
    const isUp = (Number.parseInt(flags ?? '', 16) & 1) === 1;
    // A tunnel's default route has no gateway, and half of all addresses is not all of them.
    const isDefault = destination === noAddress && mask === noAddress && isUp;
    return isDefault ? [{ interfaceName, family: 'IPv4' }] : [];
  });
  const six = rows(ipv6Route).flatMap((fields): DefaultRoute[] => {
    const [destination, length, , , gateway] = fields;
    const flags = Number.parseInt(fields[8] ?? '', 16);
    const isDefault = destination === noAddress6 && length === '00' && gateway !== noAddress6;
    return isDefault && (flags & rejectFlag) === 0
      ? [{ interfaceName: fields[9] ?? '', family: 'IPv6' }]
      : [];
  });
  return [...four, ...six];
}

const rows = (text: string): string[][] => text.split('\n').map((line) => line.trim().split(/\s+/));
