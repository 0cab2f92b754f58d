/**
 * Binds claims to volumes that are there, says what becomes of both, and reclaims volumes whose claim is gone. It makes no volumes:
 * those of a class with a provisioner come from outside.
 */
export { decideClaim } from './decide-claim.ts';
export { decideVolume } from './decide-volume.ts';
export { findVolume } from './find-volume.ts';
export type { BinderState, BinderStep } from './state.ts';
export { volumeBinderController } from './volume-binder-controller.ts';
