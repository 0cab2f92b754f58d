import type { Container, Pod } from '../../../../src/apis/types/core-v1.ts';
import {
  type CpuPlace,
  type CpuTopology,
  describeTopology,
} from '../../../../src/nodeagent/cpu-manager/index.ts';

interface MachineShape {
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly threadsPerCore: number;
  readonly nodesPerSocket?: number;
}

/** A machine whose threads are numbered as kernels do it: the first threads of all cores, then the second ones. */
export function machineOf(shape: MachineShape): CpuTopology {
  const { sockets, coresPerSocket, threadsPerCore, nodesPerSocket = 1 } = shape;
  const coreCount = sockets * coresPerSocket;
  const places = Array.from({ length: coreCount * threadsPerCore }, (_, cpu): CpuPlace => {
    const core = cpu % coreCount;
    const socket = Math.floor(core / coresPerSocket);
    const node = Math.floor((core * sockets * nodesPerSocket) / coreCount);
    return { cpu, core, socket, node };
  });
  return describeTopology(places);
}

/** 2 sockets, each a node, of 3 cores with 2 threads: CPUs 0-2 and 6-8, 3-5 and 9-11. */
export const dualSocket = machineOf({ sockets: 2, coresPerSocket: 3, threadsPerCore: 2 });
/** 1 socket of 4 cores with 2 threads. */
export const singleSocket = machineOf({ sockets: 1, coresPerSocket: 4, threadsPerCore: 2 });

/** A container that may use so much, and asks for as much. */
export function containerOf(name: string, cpu: string, request = cpu): Container {
  const memory = '1Gi';
  return { name, image: 'a', resources: { limits: { cpu, memory }, requests: { cpu: request, memory } } };
}

/** A pod whose name is its uid. */
export function podOf(
  uid: string,
  containers: readonly Container[],
  initContainers: readonly Container[] = [],
): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { uid, name: uid, namespace: 'default' },
    spec: { containers: [...containers], initContainers: [...initContainers] },
    status: {},
  };
}
