/** Keeps one pod of each daemon set on every node that it fits, and takes these pods from one template to the next. */
export { daemonSetController } from './daemon-set-controller.ts';
export { decideDaemonSet } from './decide.ts';
export { decideHistory, hashOf, surplusHistory } from './history.ts';
export { daemonPlacement, targetNodeOf } from './placement.ts';
export { decideDaemonStatus } from './status.ts';
