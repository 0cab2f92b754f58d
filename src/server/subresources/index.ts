/**
 * Handlers of subresources that are not the whole object: scales, bindings, evictions, tokens, ephemeral
 * containers, and the ways to a node's agent. `status`, `finalize` and `approval` carry the whole object and need only
 * rules.
 */
export type { AgentAccess } from './agent-access.ts';
export { createBinding } from './pod-binding.ts';
export { createSubresourceHandlers, type SubresourceOptions } from './subresource-handlers.ts';
export { writeValue } from './write-value.ts';
