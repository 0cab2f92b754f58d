/**
 * PodSecurityPolicy: pods are let in by a policy that whoever makes them, or their service account, may `use`. The controls
 * of a policy are pure functions of it and a pod; what is stored and who may use it is asked here. Source: "Pod Security
 * Policies"; release 1.20, `plugin/pkg/admission/security/podsecuritypolicy`.
 */
export { PodSecurityPolicies, type PodSecurityPolicyOptions } from './pod-security-policy.ts';
