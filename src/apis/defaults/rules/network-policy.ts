import type { NetworkPolicy as FirstNetworkPolicy } from '../../types/extensions-v1beta1.ts';
import type { NetworkPolicy } from '../../types/networking-v1.ts';

/** A policy is about incoming traffic, and about outgoing traffic when it has rules for it. */
export function policyTypes({ spec }: NetworkPolicy): void {
  if (spec.policyTypes !== undefined && spec.policyTypes.length > 0) return;
  const hasEgress = spec.egress !== undefined && spec.egress.length > 0;
  spec.policyTypes = hasEgress ? ['Ingress', 'Egress'] : ['Ingress'];
}

/** In the first version only the ports of incoming traffic were TCP by default. */
export function firstIngressProtocols({ spec }: FirstNetworkPolicy): void {
  for (const rule of spec.ingress ?? []) for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
}
