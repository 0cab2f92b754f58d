/**
 * What the controllers of workloads share: which pods belong to an owner, what of the own writes is not seen yet, creation and deletion
 * of pods with their events, the writes of their histories, and the queue of owners. It decides nothing for a kind.
 */
export {
  type ClaimOptions,
  type Claims,
  carryOutClaims,
  controllerOf,
  controllerReference,
  decideClaims,
  type Owner,
} from './claims.ts';
export { Expectations } from './expectations.ts';
export { ExpectedPods } from './expected-pods.ts';
export { followOwned, type OwnerListener } from './follow-owned.ts';
export { createOwnerQueue, logSyncError, type OwnerQueueOptions } from './owner-queue.ts';
export { PodControl, type PodOwner, podFromTemplate, startSlowly } from './pod-control.ts';
export { isPodActive, isPodAvailable, isPodReady, nextAvailableAtMs, readyConditionOf } from './pod-state.ts';
export {
  controllerRevisions,
  type NewestRevision,
  RevisionWriter,
  type TemplateOwner,
} from './revision-writer.ts';
export { shortHash } from './short-hash.ts';
