/** Deletes pods that nobody else will: too many that have ended, and those whose node is gone or never was. */
export { decideGarbage } from './decide.ts';
export { podGarbageController } from './pod-gc-controller.ts';
