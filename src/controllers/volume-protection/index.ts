/** Keeps claims that pods use and volumes that claims are bound to: their finalizers. It binds and deletes nothing. */
export { decideClaimFinalizer, decideVolumeFinalizer, type FinalizerChange } from './decide.ts';
export { claimProtectionController, volumeProtectionController } from './volume-protection-controller.ts';
