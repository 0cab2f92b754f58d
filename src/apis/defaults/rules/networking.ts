import type { Service, ServicePort } from '../../types/core-v1.ts';
import type { NetworkPolicy as FirstNetworkPolicy } from '../../types/extensions-v1beta1.ts';
import type { NetworkPolicy } from '../../types/networking-v1.ts';

const defaultAffinitySeconds = 10_800;

/** Traffic goes to the port of the same number unless another is named. */
export function targetPort(port: ServicePort): void {
  if (port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') {
    port.targetPort = port.port;
  }
}

/** Only client address affinity has a configuration: its timeout, three hours by default. */
export function sessionAffinityConfig({ spec }: Service): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity !== 'ClientIP') return;
  const timeoutSeconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinitySeconds;
  spec.sessionAffinityConfig = { clientIP: { timeoutSeconds } };
}

/** Two addresses or families ask for both families; then the second one follows from the first. */
export function dualStackFamilies({ spec }: Service): void {
  if (spec.type === 'ExternalName') return;
  const asksForTwo = spec.clusterIPs?.length === 2 || spec.ipFamilies?.length === 2;
  if (asksForTwo && spec.ipFamilyPolicy === undefined) spec.ipFamilyPolicy = 'RequireDualStack';
  const [family, ...others] = spec.ipFamilies ?? [];
  if (spec.ipFamilyPolicy !== 'RequireDualStack' || family === undefined || others.length > 0) return;
  spec.ipFamilies = [family, family === 'IPv4' ? 'IPv6' : 'IPv4'];
}

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
