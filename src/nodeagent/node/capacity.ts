import { formatQuantity, integerQuantity } from '../../machinery/values/index.ts';
import type { AgentConfig } from '../options/index.ts';
import type { Machine } from './machine.ts';
import { thresholdAmount } from './threshold-amount.ts';

type Amounts = Readonly<Record<string, string>>;

/** What capacity is computed from. */
export interface CapacityInputs {
  readonly machine: Machine;
  readonly config: Pick<
    AgentConfig,
    | 'maxPods'
    | 'podsPerCore'
    | 'features'
    | 'systemReservedResources'
    | 'orchReservedResources'
    | 'reservedCpuIds'
    | 'evictionThresholds'
    | 'experimentalAllocatableIgnoreEviction'
  >;
  /** Size of the file system that the agent's root folder is on. */
  readonly storageBytes: number;
  /** Capacity that the node object shows already; amounts that others put there are kept. */
  readonly shown?: Amounts | undefined;
  /** Devices of plugins by resource. */
  readonly devices?: DeviceAmounts | undefined;
}

/** How many of each resource of plugins the node has, and how many of them pods may have. */
export type DeviceAmounts = ReadonlyMap<string, { readonly capacity: number; readonly allocatable: number }>;

/** Capacity of the node, and the part that pods can use (allocatable). */
export interface NodeResources {
  readonly capacity: Record<string, string>;
  readonly allocatable: Record<string, string>;
}

/** Capacity of the node less what is reserved, and less hard eviction thresholds. */
export function nodeResources(inputs: CapacityInputs): NodeResources {
  const capacity = nodeCapacity(inputs);
  return { capacity, allocatable: nodeAllocatable(capacity, inputs) };
}

const hugepages = 'hugepages-';

function nodeCapacity({
  machine,
  config,
  storageBytes,
  shown = {},
  devices = new Map(),
}: CapacityInputs): Record<string, string> {
  const { maxPods, podsPerCore, features } = config;
  const foreign = Object.entries(shown).filter(([name]) => !isOwn(name));
  const pods = podsPerCore > 0 ? Math.min(machine.cpuCount * podsPerCore, maxPods) : maxPods;
  const pages = [...machine.hugepageBytes].map(([size, amount]) => [`${hugepages}${size}`, bytes(amount)]);
  return {
    ...Object.fromEntries(foreign),
    ...Object.fromEntries([...devices].map(([name, { capacity }]) => [name, `${capacity}`])),
    cpu: millis(machine.cpuCount * 1000),
    ...(features.LocalStorageCapacityIsolation ? { 'ephemeral-storage': bytes(storageBytes) } : {}),
    ...Object.fromEntries(pages),
    memory: bytes(machine.memoryBytes),
    pods: `${pods}`,
  };
}

const isOwn = (name: string): boolean =>
  ['cpu', 'memory', 'pods', 'ephemeral-storage'].includes(name) || name.startsWith(hugepages);

function nodeAllocatable(capacity: Amounts, inputs: CapacityInputs): Record<string, string> {
  const { machine } = inputs;
  const { cpuMillis, memoryBytes, storageBytes } = reservedAmounts(inputs);
  const pageBytes = [...machine.hugepageBytes.values()].reduce((sum, amount) => sum + amount, 0);
  const least = (amount: number): number => Math.max(0, amount);
  const devices = [...(inputs.devices ?? [])].map(([name, { allocatable }]) => [name, `${allocatable}`]);
  return {
    ...capacity,
    ...Object.fromEntries(devices),
    cpu: millis(least(machine.cpuCount * 1000 - cpuMillis)),
    ...('ephemeral-storage' in capacity
      ? { 'ephemeral-storage': bytes(least(inputs.storageBytes - storageBytes)) }
      : {}),
    memory: bytes(least(machine.memoryBytes - memoryBytes - pageBytes)),
  };
}

/** What pods cannot have. */
export interface ReservedAmounts {
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly storageBytes: number;
}

/** Reservations and, unless they are to be ignored, hard eviction thresholds together. */
export function reservedAmounts({ machine, config, storageBytes }: CapacityInputs): ReservedAmounts {
  const { systemReservedResources: system, orchReservedResources: own, reservedCpuIds } = config;
  const threshold = (signal: string, capacity: number): number => {
    if (config.experimentalAllocatableIgnoreEviction) return 0;
    const hard = config.evictionThresholds.find((one) => one.signal === signal && one.gracePeriodMs === 0);
    return hard === undefined ? 0 : thresholdAmount(hard.below, capacity);
  };
  return {
    // A list of reserved CPUs replaces reserved amounts of CPU.
    cpuMillis: reservedCpuIds.length > 0 ? reservedCpuIds.length * 1000 : system.cpuMillis + own.cpuMillis,
    memoryBytes: system.memoryBytes + own.memoryBytes + threshold('memory.available', machine.memoryBytes),
    storageBytes:
      system.ephemeralStorageBytes + own.ephemeralStorageBytes + threshold('nodefs.available', storageBytes),
  };
}

const millis = (amount: number): string =>
  formatQuantity({ unscaled: BigInt(amount), scale: -3, format: 'DecimalSI' });

const bytes = (amount: number): string => formatQuantity(integerQuantity(BigInt(amount), 'BinarySI'));
