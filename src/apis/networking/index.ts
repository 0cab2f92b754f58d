/**
 * Rules of the networking group: ways in from outside (ingresses) and who may talk to whom (network policies).
 */
import type { KindRulesTable } from '../kind-rules.ts';
import { ingressRules } from './ingress.ts';
import { ingressClassRules } from './ingress-class.ts';
import { networkPolicyRules } from './network-policy.ts';

/** Rules of the networking group's kinds. */
export const networkingRules: KindRulesTable = {
  'networking.orch.io/v1.NetworkPolicy': networkPolicyRules,
  'networking.orch.io/v1beta1.Ingress': ingressRules,
  'networking.orch.io/v1beta1.IngressClass': ingressClassRules,
};
