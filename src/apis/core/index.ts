/**
 * Rules of the core group: what services, namespaces, configuration, nodes and storage may look like, and how
 * they change. Rules of pods and of templates of pods are in the files named after them. Nothing here allocates
 * or stores; `service-allocation.ts` only says what a service needs.
 */
export * from './address-range.ts';
export { namespaceRules } from './namespace.ts';
export { validateInlineVolumeSpec } from './persistent-volume.ts';
export { validateCsi } from './persistent-volume-sources.ts';
export { claimsOfPod, isMadeFor, isPodTerminated, type PodClaim } from './pod-claims.ts';
export * from './pod-index.ts';
export { type PodReferences, podReferences, volumeSecrets } from './references.ts';
export { coreRules } from './rules.ts';
export { mergeStringData } from './secret.ts';
export * from './service-allocation.ts';
export { type FamilyNeed, type IpFamily, neededFamilies, settleFamilies } from './service-families.ts';
export { isHeadless, needsClusterIp, needsHealthCheckNodePort, needsNodePorts } from './service-fields.ts';
export { storageClassName } from './storage-class-name.ts';
export { addFinalizer, claimProtection, volumeProtection } from './storage-finalizers.ts';
export { validateTaints } from './taints.ts';
