import { randomInt } from 'node:crypto';
import { networkInterfaces } from 'node:os';

/**
 * A network for pods such as `10.73.48.0/20`, with its first address, such as `10.73.48.1`. Programs that run at the
 * same time ask without knowing of each other, so it is drawn from 3,200, less those of which the machine has addresses.
 */
export function freeSubnet(): { readonly subnet: string; readonly gateway: string } {
  const taken = Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address.split('.').slice(0, 2).join('.')),
  );
  for (;;) {
    const second = randomInt(50, 250);
    if (taken.includes(`10.${second}`)) continue;
    const prefix = `10.${second}.${randomInt(16) * 16}`;
    return { subnet: `${prefix}.0/20`, gateway: `${prefix}.1` };
  }
}
