import type {
  ContainerImage,
  NodeAddress,
  NodeCondition,
  NodeConfigStatus,
  NodeDaemonEndpoints,
  NodeStatus,
  NodeSystemInfo,
} from '../../apis/types/core-v1.ts';
import type { Dialect } from '../../machinery/dialect.ts';
import type { NodeResources } from './capacity.ts';
import type { Machine } from './machine.ts';

/** Everything that the status of a Node is computed from; the result depends on nothing else. */
export interface NodeStatusInputs {
  readonly resources: NodeResources;
  readonly conditions: readonly NodeCondition[];
  readonly addresses: readonly NodeAddress[];
  readonly images: readonly ContainerImage[];
  readonly volumesInUse: readonly string[];
  /** Undefined: whoever wrote it is left alone. */
  readonly config?: NodeConfigStatus | undefined;
  readonly machine: Machine;
  /** Release of the API that the agent speaks, such as `v1.20.2`. */
  readonly release: string;
  readonly runtimeVersion: string;
  readonly port: number;
  readonly dialect: Dialect;
}

/** The part of a node's status that the agent owns, its fields spelled as the dialect has them. */
export function nodeStatus(inputs: NodeStatusInputs): NodeStatus {
  const { resources, conditions, addresses, images, volumesInUse, machine, config, dialect } = inputs;
  const endpoints = { [dialect.spell('nodeAgentEndpoint')]: { Port: inputs.port } };
  const info = {
    machineID: machine.machineId,
    systemUUID: machine.systemUuid,
    bootID: machine.bootId,
    kernelVersion: machine.kernelVersion,
    osImage: machine.osImage,
    containerRuntimeVersion: inputs.runtimeVersion,
    [dialect.spell('nodeAgentVersion')]: inputs.release,
    [dialect.spell('orchProxyVersion')]: inputs.release,
    operatingSystem: 'linux',
    architecture: machine.architecture,
  };
  return {
    capacity: resources.capacity,
    allocatable: resources.allocatable,
    conditions: [...conditions],
    ...(addresses.length === 0 ? {} : { addresses: [...addresses] }),
    // Types are in the orch spelling; what is sent is in that of the dialect.
    daemonEndpoints: endpoints as unknown as NodeDaemonEndpoints,
    nodeInfo: info as unknown as NodeSystemInfo,
    ...(images.length === 0 ? {} : { images: [...images] }),
    ...(volumesInUse.length === 0 ? {} : { volumesInUse: [...volumesInUse] }),
    ...(config === undefined ? {} : { config }),
  };
}
