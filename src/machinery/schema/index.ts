/**
 * Identities of kinds and resources, and the compiled type catalog. Pure; the types themselves are data in `apis`.
 */
export { type CompiledField, type CompiledType, DecodeError, type TypeCatalog } from './catalog.ts';
export { createTypeCompiler, type TypeCompiler } from './compile.ts';
export { goFieldName, listElement, mapElement } from './go-names.ts';
export {
  formatGroupResource,
  formatGroupVersion,
  formatKind,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  parseGroupVersion,
} from './identities.ts';
export { findJsonFault, type JsonFault, locateJsonFault } from './json-syntax.ts';
export {
  copyJson,
  copyOf,
  hasSortedKeys,
  jsonKind,
  sortedCopy,
  sortedKeys,
  sortTexts,
} from './json-text.ts';
export {
  hasGivenEmpties,
  keepReceived,
  keepReceivedWithin,
  receivedValue,
  wasGivenEmpty,
} from './received.ts';
export type { FieldData, TypeData, TypeSource } from './type-data.ts';
export { compareVersions } from './version-order.ts';
