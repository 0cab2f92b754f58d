import type { HostFiles } from './host-files.ts';
import type { RunningPod } from './pod-inventory.ts';
import type { StatsSources } from './stats-sources.ts';

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

/** The interfaces of the node, or of a process that may have a network of its own. */
export async function interfaceUsages(
  files: HostFiles,
  processId?: string,
): Promise<readonly InterfaceUsage[]> {
  const folder = processId === undefined ? '/proc' : `/proc/${processId}`;
  const lines = (await files.text(`${folder}/net/dev`))?.split('\n').slice(2) ?? [];
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

/** Interfaces of a pod's sandbox; undefined for a pod on the node's network, and for one whose sandbox has no process. */
export async function podInterfaces(
  { cgroups, paths, files, podByUid }: StatsSources,
  { uid, sandbox }: RunningPod,
): Promise<readonly InterfaceUsage[] | undefined> {
  const pod = podByUid(uid);
  const path = pod === undefined || pod.spec.hostNetwork === true ? undefined : paths.pod(pod);
  if (path === undefined) return undefined;
  const [processId] = await cgroups.processes(paths.container(path, sandbox.id));
  return processId === undefined ? undefined : interfaceUsages(files, processId);
}

/** Interfaces as summaries show them (`stats.v1alpha1.NetworkStats`). */
export function describeInterfaces(
  interfaces: readonly InterfaceUsage[],
  { main, time }: { readonly main: InterfaceUsage | undefined; readonly time: string },
) {
  const shown = ({ name, rxBytes, rxErrors, txBytes, txErrors }: InterfaceUsage) => ({
    name,
    rxBytes,
    rxErrors,
    txBytes,
    txErrors,
  });
  return { time, ...(main === undefined ? {} : shown(main)), interfaces: interfaces.map(shown) };
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
