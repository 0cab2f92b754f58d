/**
 * Paths into objects and sets of paths: what a manager owns. A set is a trie with algebra (union, intersection,
 * differences) and has one canonical JSON form, `fieldsV1`. It knows nothing of types or managers.
 */
export { comparePathElements, sortPathElements } from './element-order.ts';
export {
  addChild,
  addMember,
  createFieldSetBuilder,
  createFieldSetDraft,
  emptyFieldSet,
  equalFieldSets,
  type FieldSet,
  type FieldSetBuilder,
  type FieldSetDraft,
  fieldSetOf,
  fieldSetSize,
  hasPath,
  isEmptyFieldSet,
  iterateFieldSet,
  makeFieldSet,
} from './field-set.ts';
export {
  type FieldsV1,
  FieldsV1Error,
  fieldSetLimits,
  parseFieldsV1,
  serializeFieldSet,
} from './fields-v1.ts';
export { type FieldSetMatcher, matchFieldSet } from './match-field-set.ts';
export {
  type FieldPathElements,
  fieldElement,
  formatPath,
  formatPathElement,
  indexElement,
  keyElement,
  keysElement,
  type PathElement,
  PathElementError,
  parsePathElement,
  valueElement,
} from './path-element.ts';
export {
  differenceOf,
  intersectionOf,
  leavesOf,
  recursiveDifferenceOf,
  unionOf,
  unionOfAll,
} from './set-algebra.ts';
