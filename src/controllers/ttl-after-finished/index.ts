/** Deletes jobs, with their pods, some time after they have ended. */
export { ttlAfterFinishedController } from './ttl-controller.ts';
