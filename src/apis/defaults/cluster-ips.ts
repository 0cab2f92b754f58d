import type { Service } from '../types/core-v1.ts';

/**
 * Keeps `clusterIP` and `clusterIPs` of a service together for clients that know only one of them, in place.
 * Part of preparing a create (without `old`) or an update; validation comes after it.
 */
export function normalizeClusterIps({ spec }: Service, old?: Service): void {
  const ip = spec.clusterIP ?? '';
  if (old === undefined) {
    if (ip !== '' && isNone(spec.clusterIPs)) spec.clusterIPs = [ip];
    return;
  }
  const oldIp = old.spec.clusterIP ?? '';
  if (ip === oldIp) {
    if (isNone(spec.clusterIPs) && !isNone(old.spec.clusterIPs)) spec.clusterIPs = old.spec.clusterIPs;
  } else if (isSame(spec.clusterIPs, old.spec.clusterIPs)) {
    // Only the single field was changed: the list follows.
    if (ip === '') delete spec.clusterIPs;
    else spec.clusterIPs = [ip];
  }
}

function isNone(list: readonly string[] | undefined): boolean {
  return list === undefined || list.length === 0;
}

function isSame(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
