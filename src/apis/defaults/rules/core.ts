import type { LimitRangeItem, NodeSpec, NodeStatus, PodStatus, Secret } from '../../types/core-v1.ts';

/** A node without allocatable amounts can allocate its whole capacity. */
export function allocatableFromCapacity(status: NodeStatus): void {
  if (status.allocatable === undefined && status.capacity !== undefined) {
    status.allocatable = { ...status.capacity };
  }
}

/** Limits of containers: maximum as default limit, default limit as default request, minimum as what is left. */
export function limitRangeItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return;
  item.default = { ...item.max, ...item.default };
  item.defaultRequest = { ...item.min, ...item.default, ...item.defaultRequest };
}

/** `podIP` is the first of `podIPs`; it wins when they differ. */
export function podIpAlias(status: PodStatus): void {
  const first = status.podIPs?.[0]?.ip;
  if (status.podIP !== undefined && status.podIP !== '' && status.podIP !== first) {
    status.podIPs = [{ ip: status.podIP }];
  } else if (first !== undefined) {
    status.podIP = first;
  }
}

/** `podCIDR` is the first of `podCIDRs`; it wins when they differ. */
export function podCidrAlias(spec: NodeSpec): void {
  const first = spec.podCIDRs?.[0];
  if (spec.podCIDR !== undefined && spec.podCIDR !== '' && spec.podCIDR !== first) {
    spec.podCIDRs = [spec.podCIDR];
  } else if (first !== undefined) {
    spec.podCIDR = first;
  }
}

/** `stringData` is a write-only form of `data`: plain text that replaces the entry of the same key. */
export function secretStringData(secret: Secret): void {
  const { stringData } = secret;
  if (stringData === undefined) return;
  const data: Record<string, string> = { ...secret.data };
  for (const [key, text] of Object.entries(stringData)) {
    data[key] = Buffer.from(text, 'utf8').toString('base64');
  }
  if (Object.keys(data).length > 0) secret.data = data;
  delete secret.stringData;
}
