/**
 * Loops that run beside the server and keep its objects as they should be: namespaces that empty themselves, garbage
 * that is collected, what every namespace must have. They speak to the server over its API only, like any client.
 * Each is an informer of sorts, a queue and a function that decides before it acts. They rest while another controller
 * manager is at work.
 */
export type { CertificateIssuer } from './certificates/requests.ts';
export type {
  Controller,
  ControllerContext,
  ControllerSettings,
  PublishedAuthority,
} from './controller.ts';
export { electLeader, type LeaderElectionOptions } from './leader-election.ts';
export { type OtherManagerOptions, workWhileAlone } from './other-manager.ts';
export type { SecretTokenOptions } from './service-account-tokens/token-controller.ts';
export {
  type ControllersOptions,
  controllerNames,
  controllersOffByDefault,
  type RunningControllers,
  startControllers,
} from './start-controllers.ts';
