/**
 * What must hold for the spec of a pod, in pods and in templates: one file per part of the spec, wording and
 * order of release 1.20. Checks add to a list of errors; none looks at another object or at the cluster.
 */
export { type PodAnnotationNames, podAnnotationNames } from './annotation-names.ts';
export { accessModes, validateClaimSpec, validateClassAndMode } from './claim-spec.ts';
export { checkEphemeralContainers, checkTrimmedImages } from './containers.ts';
export { dropGatedPodFields } from './dropped-fields.ts';
export { everyContainer, type PlacedContainer } from './every-container.ts';
export { checkPersistentIscsi } from './iscsi-volume.ts';
export { checkNodeSelector, checkNodeSelectorTerm } from './node-selector.ts';
export {
  checkPodAnnotations,
  checkPodAnnotationUpdates,
  checkSeccompAgreement,
  describeAppArmorProfile,
} from './pod-annotations.ts';
export { checkPodSpec } from './pod-spec.ts';
export { checkPodTemplateSpec, checkTemplateMetadata } from './pod-template-spec.ts';
export { checkCounters, checkReplicaCounts, type ReplicaCounts } from './replica-counts.ts';
export {
  checkAlwaysRestarts,
  checkNoDeadline,
  checkReadOnlyDisks,
  checkReplicatedTemplate,
  checkTemplateLabels,
  type TemplateSelector,
} from './replicated-template.ts';
export { checkResources } from './resource-requirements.ts';
export { checkSeccompAnnotation, seccompAnnotationFor, seccompProfileFor } from './seccomp.ts';
export { parseSelector } from './selectors.ts';
export { checkTolerations } from './tolerations.ts';
export { checkCsiDriverName } from './vendor-volumes.ts';
export { insideSourcePath, sourceChecks, wholeSourcePath } from './volume-sources.ts';
