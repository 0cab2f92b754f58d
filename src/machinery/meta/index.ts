/**
 * Object and list metadata: the types and pure helpers that hold for every kind.
 */
export { keepText, textOf } from './kept-text.ts';
export {
  type ApiObject,
  isApiObject,
  type ListMeta,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './object.ts';
