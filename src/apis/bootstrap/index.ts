/**
 * Objects that a server makes for itself at start (namespaces, roles, flow control, registrations, its own service), and what it does
 * when they are there already. Pure: reading and writing them is the server's. Suggested objects of flow control
 * are created only when the level `exempt` does not exist yet, which is so on the first start. Source: release 1.20.
 */
export type { BootstrapAction, BootstrapObject, BootstrapPolicy } from './bootstrap-object.ts';
export {
  type BootstrapOptions,
  bootstrapObjects,
  bootstrapResources,
  nodeRules,
  type RequestHeaderSettings,
} from './bootstrap-objects.ts';
export { isSame } from './is-same.ts';
export { reconcileBootstrap } from './reconcile.ts';
export {
  type BindingLike,
  findMissingRules,
  isProtected,
  mergeMetadata,
  type RoleLike,
  splitBinding,
} from './reconcile-access.ts';
