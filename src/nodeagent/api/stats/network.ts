import type { HostFiles } from './host-files.ts';

/** What went through a network interface since it is there. */
export interface InterfaceUsage {
  readonly name: string;
  readonly rxBytes: number;
  readonly rxPackets: number;
  readonly rxErrors: number;
  readonly rxDropped: number;
  readonly txBytes: number;
  readonly txPackets: number;
  readonly txErrors: number;
  readonly txDropped: number;
}

/** Loopback and the interfaces of containers do not count for the node. */
const ignored = /^(?:lo|veth|docker)/;
const preferred = 'eth0';

/** The node's interfaces, from `/proc/net/dev`. */
export async function interfaceUsages(files: HostFiles): Promise<readonly InterfaceUsage[]> {
  const lines = (await files.text('/proc/net/dev'))?.split('\n').slice(2) ?? [];
  return lines.flatMap((line) => {
    const [name = '', rest = ''] = line.split(':', 2).map((part) => part.trim());
    if (name === '' || ignored.test(name)) return [];
    const [rxBytes = 0, rxPackets = 0, rxErrors = 0, rxDropped = 0, , , , , ...sent] = rest
      .split(/\s+/)
      .map(Number);
    const [txBytes = 0, txPackets = 0, txErrors = 0, txDropped = 0] = sent;
    return [{ name, rxBytes, rxPackets, rxErrors, rxDropped, txBytes, txPackets, txErrors, txDropped }];
  });
}

/** The node's main interface: `eth0`, else that of the default route. */
export async function mainInterface(
  files: HostFiles,
  interfaces: readonly InterfaceUsage[],
): Promise<InterfaceUsage | undefined> {
  const found = interfaces.find(({ name }) => name === preferred);
  if (found !== undefined) return found;
  const routes = (await files.text('/proc/net/route'))?.split('\n').slice(1) ?? [];
  const [leadsOut] = routes
    .map((line) => line.split('\t'))
    .filter(([, destination]) => destination === '00000000');
  return interfaces.find(({ name }) => name === leadsOut?.[0]);
}
