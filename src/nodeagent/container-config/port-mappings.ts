import type { Container, ContainerPort } from '../../apis/types/core-v1.ts';
import type { PortMapping, PortProtocol } from '../runtime/index.ts';

/** Ports of a pod's containers, also those that the node does not lead to. Each port of a container counts once. */
export function portMappings(containers: readonly Container[]): PortMapping[] {
  return containers.flatMap((container) => {
    const byName = new Map<string, PortMapping>();
    for (const port of container.ports ?? []) {
      const name = nameOf(port);
      if (!byName.has(name)) byName.set(name, toMapping(port));
    }
    return [...byName.values()];
  });
}

function nameOf({
  name = '',
  protocol = 'TCP',
  hostIP = '',
  containerPort,
  hostPort = 0,
}: ContainerPort): string {
  // With a character that no name has, so that a name never equals it.
  return name === '' ? `:${protocol}:${hostIP}:${containerPort}:${hostPort}` : name;
}

function toMapping({ protocol, containerPort, hostPort = 0, hostIP }: ContainerPort): PortMapping {
  const mapping = { protocol: toProtocol(protocol), containerPort, hostPort };
  return hostIP ? { ...mapping, hostIp: hostIP } : mapping;
}

const toProtocol = (protocol: string | undefined): PortProtocol =>
  protocol === 'UDP' || protocol === 'SCTP' ? protocol : 'TCP';
