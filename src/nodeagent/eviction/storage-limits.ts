import type { Pod } from '../../apis/types/core-v1.ts';
import {
  compareQuantities,
  formatQuantity,
  integerQuantity,
  parseQuantity,
  type Quantity,
  quantitySign,
} from '../../machinery/values/index.ts';
import { amountOf, podAmount } from './pod-amounts.ts';
import { allDiskParts, type PodUsage, podDiskUsage, sumDisk } from './pod-usage.ts';

const storage = 'ephemeral-storage';

/** Which limit of its own a pod breaks. */
export interface StorageViolation {
  /** As release 1.20's metrics name it. */
  readonly signal: 'emptydirfs.limit' | 'ephemeralpodfs.limit' | 'ephemeralcontainerfs.limit';
  readonly message: string;
}

/** Whether any limit of local storage is set, so that what the pod uses must be measured. */
export function hasStorageLimits({ spec }: Pod): boolean {
  return (
    (spec.volumes ?? []).some(({ emptyDir }) => emptyDir?.sizeLimit !== undefined) ||
    (spec.containers ?? []).some(({ resources }) => amountOf(resources.limits, storage) !== undefined)
  );
}

/**
 * Why a pod exceeds its own limits of local storage, independent of what the node has left: of an emptyDir, of the pod
 * as a whole, or of a container. Undefined when it does not.
 */
export function storageViolation(
  pod: Pod,
  usage: PodUsage,
  { hasImageFs }: { readonly hasImageFs: boolean },
): StorageViolation | undefined {
  const violation = (signal: StorageViolation['signal'], message: string | undefined) =>
    message === undefined ? undefined : { signal, message };
  return (
    violation('emptydirfs.limit', emptyDirViolation(pod, usage)) ??
    violation('ephemeralpodfs.limit', podViolation(pod, usage)) ??
    violation('ephemeralcontainerfs.limit', containerViolation(pod, usage, { hasImageFs }))
  );
}

const exceeds = (usedBytes: number, limit: Quantity): boolean =>
  compareQuantities(integerQuantity(usedBytes), limit) > 0;

function emptyDirViolation({ spec }: Pod, { volumes }: PodUsage): string | undefined {
  for (const { name, emptyDir } of spec.volumes ?? []) {
    const used = volumes.find((one) => one.name === name);
    if (emptyDir?.sizeLimit === undefined || used === undefined) continue;
    const limit = parseQuantity(emptyDir.sizeLimit);
    if (quantitySign(limit) > 0 && exceeds(used.usedBytes, limit)) {
      return `Usage of EmptyDir volume ${JSON.stringify(name)} exceeds the limit "${formatQuantity(limit)}". `;
    }
  }
  return undefined;
}

function podViolation(pod: Pod, usage: PodUsage): string | undefined {
  const limit = podAmount(pod.spec, 'limits', storage);
  if (limit === undefined || !exceeds(podDiskUsage(pod, usage, allDiskParts).usedBytes, limit)) {
    return undefined;
  }
  return `Pod ephemeral local storage usage exceeds the total limit of containers ${formatQuantity(limit)}. `;
}

function containerViolation(
  { spec }: Pod,
  { containers }: PodUsage,
  { hasImageFs }: { readonly hasImageFs: boolean },
): string | undefined {
  for (const { name, logs, writableLayer } of containers) {
    const container = spec.containers?.find((one) => one.name === name);
    const limit = amountOf(container?.resources.limits, storage);
    // Writable layers on an image file system of their own do not use the node's local storage.
    const used = sumDisk([logs, hasImageFs ? undefined : writableLayer]);
    if (limit === undefined || quantitySign(limit) <= 0 || !exceeds(used.usedBytes, limit)) continue;
    return `Container ${name} exceeded its local ephemeral storage limit "${formatQuantity(limit)}". `;
  }
  return undefined;
}
