/**
 * Identities of kinds and resources, and the compiled type catalog. Pure; the types themselves are data in `apis`.
 */
export { type CompiledField, type CompiledType, DecodeError, type TypeCatalog } from './catalog.ts';
export {
  formatGroupResource,
  formatGroupVersion,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from './identities.ts';
