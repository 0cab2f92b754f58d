import type { ContainerPort, Pod } from '../../apis/types/core-v1.ts';

const anyAddress = '0.0.0.0';

/** Whether a port of the node that the pod wants is taken by another pod. */
export function hasPortConflict(pod: Pod, others: readonly Pod[]): boolean {
  const desired = hostPorts(pod);
  if (desired.length === 0) return false;
  const taken = new Map<string, string[]>();
  for (const port of others.flatMap(hostPorts)) {
    const key = keyOf(port);
    taken.set(key, [...(taken.get(key) ?? []), addressOf(port)]);
  }
  return desired.some((port) => {
    const address = addressOf(port);
    const addresses = taken.get(keyOf(port)) ?? [];
    return addresses.some((other) => other === address || other === anyAddress || address === anyAddress);
  });
}

function hostPorts({ spec }: Pod): ContainerPort[] {
  return (spec.containers ?? [])
    .flatMap(({ ports }) => ports ?? [])
    .filter(({ hostPort = 0 }) => hostPort > 0);
}

const keyOf = ({ protocol, hostPort }: ContainerPort): string => `${protocol || 'TCP'} ${hostPort}`;
const addressOf = ({ hostIP }: ContainerPort): string => hostIP || anyAddress;
