/** Pods with names and volumes that stay, created, updated and deleted in order. */
export { statefulSetController } from './stateful-set-controller.ts';
