/**
 * Handlers of resources that store nothing: reviews of tokens and of access, the status of components, bindings. They
 * ask the authenticators and authorizers that requests pass; they decide nothing themselves.
 */
export {
  type Component,
  type ComponentHealth,
  type ComponentSources,
  standardComponents,
} from './component-status.ts';
export { createVirtualHandlers, type VirtualOptions } from './virtual-handlers.ts';
