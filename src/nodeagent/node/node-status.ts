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
import { jsonEqual } from '../../machinery/patch/index.ts';
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

type Amounts = Readonly<Record<string, string>>;

/** Differences between two statuses of a node; heartbeat times do not count. */
interface StatusDifference {
  /** Strategic merge patch of the status; conditions of others stay. */
  readonly patch: Readonly<Record<string, unknown>>;
  /** False: only the heartbeats of conditions are new. */
  readonly hasChanged: boolean;
}

/** The patch that makes `desired` of `shown`; it always carries the conditions. */
export function statusPatch(shown: NodeStatus, desired: NodeStatus): StatusDifference {
  const changed: Record<string, unknown> = {};
  const compare = (field: keyof NodeStatus, value: unknown): void => {
    if (!jsonEqual(shown[field] ?? null, desired[field] ?? null)) changed[field] = value;
  };
  compare('capacity', mergeAmounts(shown.capacity, desired.capacity));
  compare('allocatable', mergeAmounts(shown.allocatable, desired.allocatable));
  // Addresses are merged by their type, of which there can be two.
  compare('addresses', [...(desired.addresses ?? []), { $patch: 'replace' }]);
  compare('daemonEndpoints', desired.daemonEndpoints);
  compare('nodeInfo', desired.nodeInfo);
  compare('images', desired.images ?? null);
  compare('volumesInUse', desired.volumesInUse ?? null);
  if (desired.config !== undefined && !jsonEqual(shown.config ?? null, desired.config)) {
    // Maps are merged.
    const gone = Object.keys(shown.config ?? {}).filter((name) => !Object.hasOwn(desired.config ?? {}, name));
    changed.config = { ...Object.fromEntries(gone.map((name) => [name, null])), ...desired.config };
  }
  const order = conditionOrder(shown, desired);
  const conditions = order.flatMap(
    ({ type }) => desired.conditions?.filter((one) => one.type === type) ?? [],
  );
  const haveConditionsChanged = conditions.some(
    (one) =>
      !isSameCondition(
        one,
        shown.conditions?.find(({ type }) => type === one.type),
      ),
  );
  return {
    patch: { ...changed, '$setElementOrder/conditions': order, conditions },
    hasChanged: haveConditionsChanged || Object.keys(changed).length > 0,
  };
}

/** Conditions stay where they are, new ones come last; the server wants those of the patch in the same order. */
function conditionOrder(shown: NodeStatus, desired: NodeStatus): { readonly type: string }[] {
  const types = [...(shown.conditions ?? []), ...(desired.conditions ?? [])].map(({ type }) => type);
  return [...new Set(types)].map((type) => ({ type }));
}

const isSameCondition = (one: NodeCondition, other: NodeCondition | undefined): boolean =>
  one.status === other?.status && one.reason === other.reason && one.message === other.message;

/** A merge patch of amounts: null for those that are gone. */
function mergeAmounts(shown: Amounts = {}, desired: Amounts = {}): Record<string, string | null> {
  const gone = Object.keys(shown).filter((name) => !Object.hasOwn(desired, name));
  return { ...Object.fromEntries(gone.map((name) => [name, null])), ...desired };
}
