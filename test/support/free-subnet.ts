import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * A network for pods such as `10.73.48.0/20`, with its first address, such as `10.73.48.1`. Programs that run at the
 * same time ask without knowing of each other, so it is drawn from 3,200, less those that the machine has routes to:
 * those of bridges without pods too, which are not among the interfaces that run.
 */
export function freeSubnet(): { readonly subnet: string; readonly gateway: string } {
  const taken = routedOctets(readFileSync('/proc/net/route', 'utf8'));
  for (;;) {
    const second = randomInt(50, 250);
    if (taken.has(second)) continue;
    const prefix = `10.${second}.${randomInt(16) * 16}`;
    return { subnet: `${prefix}.0/20`, gateway: `${prefix}.1` };
  }
}

/** The second numbers of the networks below `10.0.0.0/8` in a table as the kernel prints it: addresses in hex, backwards. */
export function routedOctets(table: string): ReadonlySet<number> {
  const destinations = table.matchAll(/^\S+\t[0-9A-F]{4}([0-9A-F]{2})0A\t/gm);
  return new Set(Array.from(destinations, ([, octet = '']) => Number.parseInt(octet, 16)));
}
