import { parseIp } from '../../machinery/formats/index.ts';
import { parseQuantity, quantityValue } from '../../machinery/values/index.ts';
import type { AgentOptionValues } from './agent-option-values.ts';
import { parseCpuSet } from './cpu-set.ts';
import { type EvictionThreshold, readEvictionThresholds } from './eviction.ts';
import type { AgentFeatures } from './feature-gates.ts';
import { type ReservedResources, readQosReserved, readReservations } from './reservations.ts';

/** The checked, frozen configuration of the agent: every option, and what follows from them. */
export interface AgentConfig extends AgentOptionValues {
  /** No API server: pods come from files and URLs only. */
  readonly isStandalone: boolean;
  /** Every known feature, on or off. */
  readonly features: AgentFeatures;
  readonly containerLogMaxSizeBytes: number;
  /** Hard thresholds first. */
  readonly evictionThresholds: readonly EvictionThreshold[];
  readonly systemReservedResources: ReservedResources;
  readonly orchReservedResources: ReservedResources;
  /** Processors of `reservedCpus`, sorted. */
  readonly reservedCpuIds: readonly number[];
  /** Undefined when nothing is reserved by class of service. */
  readonly qosReservedMemoryPercent: number | undefined;
}

/** Adds what follows from the values, and freezes the whole. The values must have passed the checks. */
export function completeAgentConfig(values: AgentOptionValues, features: AgentFeatures): AgentConfig {
  const cpus = parseCpuSet(values.reservedCpus);
  return deepFreeze({
    ...values,
    features,
    // Others are told of in a warning, where they do not keep the agent from starting.
    nodeIps: values.nodeIps.filter((text) => parseIp(text) !== undefined),
    isStandalone: isStandalone(values),
    containerLogMaxSizeBytes: Number(quantityValue(parseQuantity(values.containerLogMaxSize))),
    evictionThresholds: readEvictionThresholds(values).thresholds,
    systemReservedResources: readReservations(values.systemReserved).reserved,
    orchReservedResources: readReservations(values.orchReserved).reserved,
    reservedCpuIds: 'value' in cpus ? cpus.value : [],
    qosReservedMemoryPercent: readQosReserved(values.qosReserved).memoryPercent,
  });
}

/** Whether there is no API server: pods come from files and URLs only. */
export function isStandalone({
  orchconfigPath,
  bootstrapOrchconfigPath,
}: Pick<AgentOptionValues, 'orchconfigPath' | 'bootstrapOrchconfigPath'>): boolean {
  return orchconfigPath === '' && bootstrapOrchconfigPath === '';
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
