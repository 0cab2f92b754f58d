/** Nodes tell by taints what their conditions say, so that no pods come to those that are not fit. It evicts nothing. */
export { decideTaints } from './decide.ts';
export { nodeLifecycleController } from './node-lifecycle-controller.ts';
