/**
 * Decides whether the node takes a pod on, from the pod, the others and the node: pressure, kernel parameters, resources,
 * labels, name and host ports, in the order and with the texts of release 1.20. Pure: it ends no pod, and
 * records nothing; what a pod that was admitted may have to wait for, such as profiles of AppArmor, it looks for only when
 * asked later. Taints are not looked at, as in that release.
 */
export { admitPod } from './admit-pod.ts';
export type { Admission, AdmitPodOptions, AdmittingNode, PodRefusal, PodTerms } from './contract.ts';
export { criticality, type IsCritical } from './critical-pod.ts';
export { preemptionVerdict } from './preemption.ts';
