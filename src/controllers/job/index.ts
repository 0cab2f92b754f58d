/** Runs pods until as many of them have succeeded as a job asks for. */
export { endConditionOf } from './decide.ts';
export { jobController } from './job-controller.ts';
